import { rootCertificates } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import { readCertificates, readSettingFile } from '../../subgraphs/kernel/config/pem-file.ts';
import { keyringOf } from '../../subgraphs/kernel/crypto/keyring.ts';
import type { watchDatabase } from '../../subgraphs/kernel/database/reach.ts';
import type { ConsoleSessions } from '../../subgraphs/partners/keys/console-sessions.ts';
import type { UsedTokens } from '../../subgraphs/partners/keys/used-tokens.ts';
import type { Tenants } from '../../subgraphs/partners/tenants/service.ts';
import { platformSignInOf } from '../../subgraphs/partners/tenants/sign-in.ts';
import type { RateLimiter } from '../../subgraphs/runtime/limits/rate-limiter.ts';
import { createAttemptCookie } from '../http/sign-in/attempt-cookie.ts';
import { createGuardedFetch } from '../http/sign-in/guarded-fetch.ts';
import { createProviders } from '../http/sign-in/provider.ts';
import { addSignIn } from '../http/sign-in/routes.ts';

/** Time for connecting to a provider, and again for each part of its answer. */
const PROVIDER_TIMEOUT_MS = 10_000;

interface ConsoleSignInDeps {
  readonly config: Config;
  readonly usedTokens: UsedTokens;
  readonly reach: Pick<ReturnType<typeof watchDatabase>, 'wait'>;
  readonly sessions: Pick<ConsoleSessions, 'createLink' | 'endSignedIn' | 'revoke'>;
  readonly tenants: Pick<Tenants, 'find'>;
  readonly limiter: Pick<RateLimiter, 'take' | 'peek'>;
  readonly clock: () => Date;
}

/** Adds sign-in to the console by OpenID Connect, with the providers of partners and of the platform. */
export async function addConsoleSignIn(app: FastifyInstance, deps: ConsoleSignInDeps): Promise<void> {
  const { config, usedTokens, reach, sessions, clock } = deps;
  const { CONSOLE_SIGN_IN_CA_FILE: caFile } = config;
  const publicUrl = config.PUBLIC_URL?.replace(/\/+$/, '');
  const { fetch, close } = createGuardedFetch({
    allowedCidrs: config.CONSOLE_SIGN_IN_ALLOWED_CIDRS,
    timeoutMs: PROVIDER_TIMEOUT_MS,
    // Named authorities replace the runtime's own, so both are given.
    ca: caFile === undefined ? undefined : [...rootCertificates, readAuthorities(caFile)],
  });
  app.addHook('onClose', close);
  await addSignIn(app, {
    providers: createProviders({ fetch, clock }),
    attempts: createAttemptCookie(keyringOf(config).box('console-sign-in'), publicUrl, clock),
    used: {
      use: (...call) => reach.wait(() => usedTokens.use(...call)),
      extend: (...call) => reach.wait(() => usedTokens.extend(...call)),
      isUsed: (...call) => reach.wait(() => usedTokens.isUsed(...call)),
    },
    sessions: {
      createLink: (...call) => reach.wait(() => sessions.createLink(...call)),
      endSignedIn: (...call) => reach.wait(() => sessions.endSignedIn(...call)),
      revoke: (...call) => reach.wait(() => sessions.revoke(...call)),
    },
    tenants: deps.tenants,
    limiter: deps.limiter,
    clock,
    publicUrl,
    environments: config.ENVIRONMENTS,
    platform: platformSignInOf(config),
    perMinute: config.RATE_LIMIT_CONSOLE,
  });
}

function readAuthorities(path: string): string {
  const pem = readSettingFile('CONSOLE_SIGN_IN_CA_FILE', path);
  readCertificates('CONSOLE_SIGN_IN_CA_FILE', path, pem);
  return pem;
}
