import type { Connection } from 'mongoose';
import { type AccountId, environmentOf } from '../../subgraphs/kernel/account.ts';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import type { Box } from '../../subgraphs/kernel/crypto/box.ts';
import type { RunTransaction } from '../../subgraphs/kernel/database/transaction.ts';
import type { Logger } from '../../subgraphs/kernel/log/log.ts';
import { createApprovals } from '../../subgraphs/partners/approvals/approvals.ts';
import { createApprovalModel } from '../../subgraphs/partners/approvals/model.ts';
import { createBrowserTokenModel } from '../../subgraphs/partners/keys/browser-token-model.ts';
import { createBrowserTokens } from '../../subgraphs/partners/keys/browser-tokens.ts';
import { createConsoleSessionModel } from '../../subgraphs/partners/keys/console-session-model.ts';
import { createConsoleSessions } from '../../subgraphs/partners/keys/console-sessions.ts';
import { createApiKeyModel } from '../../subgraphs/partners/keys/model.ts';
import { createPartnerKeys } from '../../subgraphs/partners/keys/partner-keys.ts';
import { createApiKeys } from '../../subgraphs/partners/keys/service.ts';
import { createUsedTokenModel, createUsedTokens } from '../../subgraphs/partners/keys/used-tokens.ts';
import type { Tenants } from '../../subgraphs/partners/tenants/service.ts';
import { createAccountCheck, platformSignInOf } from '../../subgraphs/partners/tenants/sign-in.ts';

interface KeyStoresDeps {
  readonly config: Config;
  readonly connection: Connection;
  readonly log: Logger;
  readonly clock: () => Date;
  readonly transaction: RunTransaction;
  readonly tenants: Pick<Tenants, 'find'>;
  /** Seals the inputs of acts that wait for an approval. */
  readonly box: Box;
}

/**
 * API keys, requests for approval, browser tokens, console sessions and used tokens of sign-ins, of the environments that the
 * deployment serves.
 */
export function createKeyStores(deps: KeyStoresDeps) {
  const { config, connection, log, clock, transaction, tenants, box } = deps;
  const model = createApiKeyModel(connection);
  const serves = (accountId: AccountId) => config.ENVIRONMENTS.includes(environmentOf(accountId));
  const common = { pepper: config.API_KEY_PEPPER, log, clock, serves };
  const apiKeys = createApiKeys({ ...common, model, transaction });
  return {
    apiKeys,
    partnerKeys: createPartnerKeys({ ...common, model, apiKeys, transaction }),
    approvals: createApprovals({ model: createApprovalModel(connection), keys: model, box, log, clock }),
    browserTokens: createBrowserTokens({
      ...common,
      model: createBrowserTokenModel(connection),
      keys: model,
    }),
    consoleSessions: createConsoleSessions({
      ...common,
      model: createConsoleSessionModel(connection),
      keys: model,
      hasAccount: createAccountCheck(tenants, platformSignInOf(config)),
      lifetimeSeconds: config.CONSOLE_SESSION_SECONDS,
      idleSeconds: config.CONSOLE_IDLE_SECONDS,
    }),
    usedTokens: createUsedTokens({
      model: createUsedTokenModel(connection),
      pepper: config.API_KEY_PEPPER,
    }),
  };
}
