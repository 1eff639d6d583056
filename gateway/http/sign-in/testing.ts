import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { AccountId } from '../../../subgraphs/kernel/account.ts';
import { createBox } from '../../../subgraphs/kernel/crypto/box.ts';
import { fail } from '../../../subgraphs/kernel/errors/result.ts';
import type { ConsoleSessions } from '../../../subgraphs/partners/keys/console-sessions.ts';
import type { Tenant } from '../../../subgraphs/partners/tenants/service.ts';
import type { SignIn } from '../../../subgraphs/partners/tenants/sign-in.ts';
import { startOidcProvider, type TestProvider } from '../../../test/support/oidc-provider.ts';
import { createTestCertificate, type TestCertificate } from '../../../test/support/test-certificate.ts';
import { addCommonHeaders } from '../options.ts';
import { createAttemptCookie } from './attempt-cookie.ts';
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';
import { createProviders } from './provider.ts';
import { addSignIn } from './routes.ts';

export const PUBLIC_URL = 'https://remit.example';
const LOOPBACK = ['127.0.0.0/8'];
const ALLOWED = { allowed: true, remaining: 1, resetSeconds: 60 } as const;

/** The address of the console's page that shows why a sign-in was refused. */
export const refusedBy = (reason: string) => `${PUBLIC_URL}/console/#sign-in=${reason}`;

type NewLink = Parameters<ConsoleSessions['createLink']>;
type Ended = Parameters<ConsoleSessions['endSignedIn']>;

/** The routes of sign-in with two partners, each with a provider of its own, before stores in memory. */
class SignInStage {
  acme!: TestProvider;
  globex!: TestProvider;
  /** The links that sign-ins made. */
  links: NewLink[] = [];
  /** The sessions that providers ended. */
  ended: Ended[] = [];
  /** The sessions that were revoked. */
  revoked: string[] = [];
  /** Calls that count towards the limit of their address. */
  counted = 0;
  /** The lines of the log, as they are written. */
  logged: string[] = [];
  /** Whether the store of sessions fails. */
  isStoreDown = false;
  /** The clock of the service. */
  now = () => new Date();
  #certificate!: TestCertificate;
  #app!: FastifyInstance;
  #fetch!: GuardedFetch;

  async open(): Promise<void> {
    this.#certificate = await createTestCertificate();
    [this.acme, this.globex] = await Promise.all([
      this.#startProvider('acme'),
      this.#startProvider('globex'),
    ]);
  }

  async close(): Promise<void> {
    await Promise.all([this.acme.close(), this.globex.close()]);
    this.#certificate.remove();
  }

  /** Builds the routes, which know nothing of former calls. */
  async start(allowedCidrs: readonly string[] = LOOPBACK): Promise<void> {
    this.#fetch = createGuardedFetch({ allowedCidrs, timeoutMs: 5_000, ca: [this.#certificate.cert] });
    this.#app = Fastify({
      // The gateway, too, logs no addresses of requests.
      logController: new LogController({ disableRequestLogging: true }),
      logger: { level: 'info', stream: { write: (line: string) => void this.logged.push(line) } },
    });
    addCommonHeaders(this.#app);
    const used = new Map<string, number>();
    const clock = () => this.now();
    await addSignIn(this.#app, {
      providers: createProviders({ fetch: this.#fetch.fetch, clock }),
      attempts: createAttemptCookie(createBox(Buffer.alloc(32)), PUBLIC_URL, clock),
      used: {
        use: async (token, until) => {
          const isFirst = !used.has(token);
          used.set(token, until.getTime());
          return isFirst;
        },
        extend: async (token, until) => void used.set(token, Math.max(used.get(token) ?? 0, until.getTime())),
        isUsed: async (token, until) => (used.get(token) ?? 0) >= until.getTime(),
      },
      sessions: {
        createLink: async (...call) => {
          this.links.push(call);
          const [, { access, label }] = call;
          const time = clock();
          const session = { sessionId: 'cse_1', access, label, createdAt: time, expiresAt: time };
          return { code: 'raas_code_1', session };
        },
        endSignedIn: async (...call) => {
          if (this.isStoreDown) {
            throw new Error('The store is down');
          }
          return this.ended.push(call);
        },
        revoke: async (_owner, sessionId) => {
          this.revoked.push(sessionId);
          return fail('CONSOLE_SESSION_NOT_FOUND');
        },
      },
      tenants: { find: async (accountId) => this.#tenants()[accountId] },
      limiter: {
        take: () => {
          this.counted += 1;
          return ALLOWED;
        },
        peek: () => ALLOWED,
      },
      clock,
      publicUrl: PUBLIC_URL,
      environments: ['sandbox', 'live'],
      platform: undefined,
      perMinute: 600,
    });
  }

  async stop(): Promise<void> {
    await this.#app.close();
    await this.#fetch.close();
  }

  async restart(allowedCidrs?: readonly string[]): Promise<void> {
    await this.stop();
    await this.start(allowedCidrs);
  }

  reset(): void {
    this.links = [];
    this.ended = [];
    this.revoked = [];
    this.counted = 0;
    this.logged = [];
    this.isStoreDown = false;
    this.now = () => new Date();
    for (const provider of [this.acme, this.globex]) {
      provider.tamper = undefined;
      provider.isDown = false;
      provider.person = { sub: 'ana', name: 'Ana Ruiz', roles: ['others', 'remit-support', 'remit-viewers'] };
      provider.requests.length = 0;
    }
  }

  get(url: string, cookie = '') {
    return this.#app.inject({ method: 'GET', url, headers: { cookie } });
  }

  /** Sends a logout token as a provider does. @param payload the form */
  logOut(url: string, payload: string) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.#app.inject({ method: 'POST', url, headers, payload });
  }

  /** A browser that begins: the provider's page, and the cookie of the attempt. */
  async begin(path = '/console/sign-in/acme?environment=sandbox') {
    const { headers, statusCode } = await this.get(path);
    const setCookie = String(headers['set-cookie']);
    return { statusCode, url: String(headers.location), cookie: setCookie.split(';')[0] ?? '', setCookie };
  }

  /** The path that a provider leads a browser to. */
  async visit(provider: TestProvider, url: string): Promise<string> {
    const { pathname, search } = new URL(await provider.visit(url));
    return pathname + search;
  }

  /** A whole sign-in to the sandbox of acme. @returns the address that it leads to */
  async signIn(): Promise<string> {
    const { url, cookie } = await this.begin();
    return String((await this.get(await this.visit(this.acme, url), cookie)).headers.location);
  }

  #startProvider(tenant: string): Promise<TestProvider> {
    return startOidcProvider({
      certificate: this.#certificate,
      client: {
        clientId: `remitgraph-${tenant}`,
        clientSecret: 'secret-of-the-client',
        redirectUri: `${PUBLIC_URL}/console/sign-in/${tenant}/callback`,
        logoutUri: `${PUBLIC_URL}/console/sign-in/${tenant}/logout`,
      },
      send: async (url, payload) => (await this.logOut(new URL(url).pathname, payload)).statusCode,
    });
  }

  #tenants(): Readonly<Record<AccountId, Tenant | undefined>> {
    const acme = signInOf(this.acme, 'acme');
    return {
      'acme/sandbox': tenantOf('acme/sandbox', acme),
      'acme/live': tenantOf('acme/live', { ...acme, roles: { 'remit-admins': 'admin' } }),
      'globex/sandbox': tenantOf('globex/sandbox', signInOf(this.globex, 'globex')),
      'initech/live': tenantOf('initech/live'),
    };
  }
}

function signInOf({ issuer }: TestProvider, tenant: string): SignIn {
  return {
    issuer,
    clientId: `remitgraph-${tenant}`,
    clientSecret: 'secret-of-the-client',
    scope: 'openid profile',
    claim: 'roles',
    roles: { 'remit-viewers': 'viewer', 'remit-support': 'support', 'remit-admins': 'admin' },
  };
}

function tenantOf(accountId: AccountId, signIn?: SignIn): Tenant {
  const time = new Date(0);
  return {
    accountId,
    tenantId: accountId.split('/')[0] ?? '',
    environment: accountId.endsWith('live') ? 'live' : 'sandbox',
    name: 'Partner',
    countries: [],
    dialCodes: [],
    features: [],
    flows: [],
    webhookEvents: [],
    webhookEventVersion: 1,
    fee: { fixed: '0', percent: '0' },
    mtlsClientCertSha256: [],
    createdAt: time,
    updatedAt: time,
    ...(signIn && { signIn }),
  };
}

/** Opens the providers for the tests of a file, and builds the routes anew for each. */
export function useSignInStage(): SignInStage {
  const stage = new SignInStage();
  beforeAll(() => stage.open());
  beforeEach(async () => {
    stage.reset();
    await stage.start();
  });
  afterEach(() => stage.stop());
  afterAll(() => stage.close());
  return stage;
}
