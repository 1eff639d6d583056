import type { Connection } from 'mongoose';
import type { AccountClock } from '../../subgraphs/kernel/clock/account-clock.ts';
import type { Keyring } from '../../subgraphs/kernel/crypto/keyring.ts';
import type { RunTransaction } from '../../subgraphs/kernel/database/transaction.ts';
import { createLinkErasure } from '../../subgraphs/links/store/erase-user.ts';
import { createOperationErasure } from '../../subgraphs/operations/store/erase-user.ts';
import { createRemittanceErasure } from '../../subgraphs/remittances/store/erase-user.ts';
import { createMoneyRequestErasure } from '../../subgraphs/request-money/store/erase-user.ts';
import { createEventErasure } from '../../subgraphs/runtime/events/erase-texts.ts';
import type { EventLog } from '../../subgraphs/runtime/events/log.ts';
import { createEventModels } from '../../subgraphs/runtime/events/model.ts';
import { createOwnedErasure } from '../../subgraphs/users/store/erase-user.ts';
import { createUserErasure, type UserErasure } from '../../subgraphs/users/use-cases/erase-user.ts';
import { createDeliveryErasure } from '../../subgraphs/webhooks/erase-deliveries.ts';
import { createWebhookModels } from '../../subgraphs/webhooks/model.ts';

interface ErasureDeps {
  readonly connection: Connection;
  readonly keyring: Pick<Keyring, 'box'>;
  readonly transaction: RunTransaction;
  readonly events: EventLog;
  readonly accountClock: AccountClock;
}

/** The erasure of users over all slices. Not by their ports: commands load no GraphQL. */
export function createErasure({ connection, keyring, ...rest }: ErasureDeps): UserErasure {
  const box = keyring.box('fields');
  const webhooks = createDeliveryErasure({
    models: createWebhookModels(connection),
    events: createEventErasure(createEventModels(connection)),
    box: keyring.box('webhooks'),
  });
  return createUserErasure({
    ...rest,
    connection,
    box,
    sources: [
      createMoneyRequestErasure({ connection, box, webhooks }),
      createOperationErasure({ connection, box, webhooks }),
      createRemittanceErasure({ connection, webhooks }),
      createLinkErasure(connection),
      createOwnedErasure({ connection, box }),
    ],
  });
}
