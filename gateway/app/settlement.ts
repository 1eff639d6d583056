import type { Connection } from 'mongoose';
import { FIGURES_COUNT_TO } from '../../subgraphs/kernel/recent.ts';
import {
  type ImportDeps,
  importSettlement,
  type OnProgress,
  type SettlementInput,
} from '../../subgraphs/ledger/settlement/import.ts';
import { createSettlementModels, UNSETTLED } from '../../subgraphs/ledger/settlement/model.ts';
import { createLedgerModels } from '../../subgraphs/ledger/store/model.ts';
import type { OperationalEvents } from '../../subgraphs/operational-events/index.ts';
import { unknownPartner } from '../../subgraphs/partners/tenants/model.ts';
import type { Tenants } from '../../subgraphs/partners/tenants/service.ts';
import { DISCREPANCY_OPENED } from '../../subgraphs/webhook-events/operational.ts';
import { publicUrlOf } from './public-url.ts';

/** Providers' files of a deployment. */
export interface Settlement {
  /** Imports a file, see {@link importSettlement}. @throws OperatorError for an unknown partner, too */
  import(input: SettlementInput, onProgress: OnProgress): ReturnType<typeof importSettlement>;
  /** Discrepancies of all partners that still need somebody, by state, each counted up to {@link FIGURES_COUNT_TO}. */
  counts(): Promise<Readonly<Record<string, number>>>;
}

interface SettlementDeps extends Pick<ImportDeps, 'transaction' | 'box'> {
  readonly tenants: Pick<Tenants, 'find'>;
  readonly clocks: Pick<ImportDeps, 'accountClock'>;
  readonly operationalEvents: Pick<OperationalEvents, 'raise'>;
  readonly connection: Connection;
  readonly config: Parameters<typeof publicUrlOf>[0];
}

export function settlementOn(deps: SettlementDeps): Settlement {
  const { config, connection, tenants, clocks, transaction, box, operationalEvents } = deps;
  const consoleUrl = `${publicUrlOf(config)}/console`;
  const models = createSettlementModels(connection);
  const { entries } = createLedgerModels(connection);
  const importing: ImportDeps = {
    ...{ entries, models, transaction, box, accountClock: clocks.accountClock },
    raise: async ({ fileId, accountId, provider, opened }, unit) => {
      const tenant = await tenants.find(accountId);
      if (tenant) {
        const discrepancies = Object.values(opened).reduce((sum, count) => sum + count, 0);
        const event = DISCREPANCY_OPENED.of({ accountId, provider, fileId, discrepancies, consoleUrl });
        operationalEvents.raise(tenant, event, unit);
      }
    },
  };
  return {
    import: async (input, onProgress) => {
      if ((await tenants.find(input.accountId)) === undefined) {
        throw unknownPartner(input.accountId);
      }
      return importSettlement(importing, input, onProgress);
    },
    counts: async () => {
      const counts = UNSETTLED.map(async (state) => {
        const found = { unsettled: true, state } as const;
        return [
          state.toLowerCase(),
          await models.discrepancies.countDocuments(found, { limit: FIGURES_COUNT_TO }),
        ];
      });
      return Object.fromEntries(await Promise.all(counts));
    },
  };
}
