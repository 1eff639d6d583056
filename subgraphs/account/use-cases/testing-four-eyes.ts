import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import type { AccountId } from '../../kernel/account.ts';
import { createBox } from '../../kernel/crypto/box.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import { createTransactions, type RunTransaction } from '../../kernel/database/transaction.ts';
import type { Result } from '../../kernel/errors/result.ts';
import type { Principal } from '../../kernel/principal.ts';
import { type Approvals, createApprovals } from '../../partners/approvals/approvals.ts';
import { createApprovalModel } from '../../partners/approvals/model.ts';
import { createApiKeyModel } from '../../partners/keys/model.ts';
import { createPartnerKeys, type PartnerKeys } from '../../partners/keys/partner-keys.ts';
import { type ApiKeys, createApiKeys } from '../../partners/keys/service.ts';
import type { FourEyesAct } from '../../partners/tenants/four-eyes.ts';
import { createTenantModels, type TenantModels } from '../../partners/tenants/model.ts';
import { createTenants, type TenantInput, type Tenants } from '../../partners/tenants/service.ts';
import { createPartnerEndpoints, type PartnerEndpoints } from '../../webhooks/partner-endpoints.ts';
import { openTestBench, type TestBench } from '../../webhooks/testing-engine.ts';
import { createPartnerService } from '../service.ts';
import { createApprovableActs } from './approvable-acts.ts';
import { createFourEyes, type FourEyes } from './four-eyes.ts';
import { createOperationalEventsService } from './operational-events.ts';

const DAY_MS = 24 * 3_600_000;
const SCOPES = ['partner', 'partner_admin'] as const;

/** Thrown in place of a commit, as when a process is killed before it. */
export class Killed extends Error {}

/** A line of the server's log. */
interface LoggedLine {
  readonly msg: string;
  readonly approvalId?: string;
  readonly sessionId?: string;
}

/** The protected acts on a store. */
export interface FourEyesScene {
  readonly bench: TestBench;
  readonly apiKeys: ApiKeys;
  readonly keys: PartnerKeys;
  readonly tenants: Tenants;
  readonly endpoints: PartnerEndpoints;
  readonly approvals: Approvals;
  readonly fourEyes: FourEyes;
  readonly tenantModels: TenantModels;
  readonly keyModel: ReturnType<typeof createApiKeyModel>;
  readonly approvalModel: ReturnType<typeof createApprovalModel>;
  readonly logged: readonly LoggedLine[];
  /** Milliseconds before the real time. */
  ahead: number;
  /** Whether a transaction ends before its commit. */
  isKilled: boolean;
}

export async function openFourEyesScene(): Promise<FourEyesScene> {
  const bench = await openTestBench();
  const { connection } = bench.store;
  const logged: LoggedLine[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const pepper = 'p'.repeat(32);
  const box = createBox(randomBytes(32));
  const state = { ahead: 0, isKilled: false };
  const clock = () => new Date(Date.now() + state.ahead);
  const own = createTransactions(connection);
  const transaction: RunTransaction = (work, ...options) =>
    own(
      async (unit) => {
        const value = await work(unit);
        if (state.isKilled) {
          await unit.flush();
          throw new Killed();
        }
        return value;
      },
      ...options,
    );
  const keyModel = createApiKeyModel(connection);
  const approvalModel = createApprovalModel(connection);
  const tenantModels = createTenantModels(connection);
  await makeIndexes(connection);
  const tenants = createTenants({ models: tenantModels, box, transaction });
  const apiKeys = createApiKeys({ model: keyModel, pepper, log, transaction });
  const keys = createPartnerKeys({ model: keyModel, pepper, log, apiKeys, transaction, clock });
  const approvals = createApprovals({ model: approvalModel, keys: keyModel, box, log, clock });
  const engine = bench.start({}, { transaction, tenants });
  const endpoints = createPartnerEndpoints({ ...engine, tenants, clock });
  const limiter = { take: () => ({ allowed: true, quotas: [] }) as const };
  const partner = createPartnerService({ tenants, endpoints, limiter });
  const operationalEvents = createOperationalEventsService({ tenants, hasMail: false });
  const { replays } = engine;
  const acts = createApprovableActs({ keys, endpoints, partner, replays, operationalEvents });
  const fourEyes = createFourEyes({ acts, approvals, tenants });
  return Object.assign(state, {
    ...{ bench, apiKeys, keys, tenants, endpoints, approvals, fourEyes },
    ...{ tenantModels, keyModel, approvalModel, logged },
  });
}

let tenantNumber = 0;

/** A new partner that asks for the approval of these acts. */
export async function openPartner(scene: FourEyesScene, acts: readonly FourEyesAct[]) {
  tenantNumber += 1;
  const accountId: AccountId = `four${tenantNumber}/sandbox`;
  const lists = { countries: [], dialCodes: [], features: [], flows: [], mtlsClientCertSha256: [] };
  const input: TenantInput = {
    ...{ accountId, name: 'Some', fee: { fixed: '0', percent: '0' }, ...lists },
    ...{ webhookUrl: 'https://first.test/', webhookSecret: 'whsec_first_01', webhookEvents: [] },
    ...(acts.length === 0 ? {} : { fourEyes: [...acts] }),
  };
  await scene.tenants.upsert(input);
  const { apiKey } = await scene.apiKeys.create({ accountId, scopes: SCOPES, label: 'server' });
  const { keyId } = apiKey;
  const program: Principal = { accountId, keyId, scopes: SCOPES };
  return {
    ...{ accountId, program, ana: sessionOf(program, 'Ana'), bea: sessionOf(program, 'Bea') },
    stateOf: async (id: string) => (await scene.approvals.find(accountId, id))?.status,
    secretOf: async () =>
      (await scene.tenantModels.tenants.findById(accountId).orFail().lean()).webhookSecret,
    countKeys: () => scene.keyModel.countDocuments({ accountId }),
  };
}

export type OpenedPartner = Awaited<ReturnType<typeof openPartner>>;

/** The code of the first failure; `ok` without one. */
export function codeOf(result: Result<unknown>): string | undefined {
  return result.ok ? 'ok' : result.failures[0]?.code;
}

/** @throws for a failure */
export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) {
    throw new Error(result.failures[0]?.message);
  }
  return result.value;
}

/** An administrator in a console session that a program has opened. */
export function sessionOf(
  program: Pick<Principal, 'accountId' | 'keyId' | 'scopes'>,
  label: string,
  sessionId = `cse_${randomBytes(4).toString('hex')}`,
): Principal {
  const { accountId, keyId, scopes } = program;
  const consoleSession = { sessionId, label, access: 'admin', expiresAt: Date.now() + DAY_MS } as const;
  return { accountId, keyId, scopes, consoleSession };
}
