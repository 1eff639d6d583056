import type { Connection, Model } from 'mongoose';
import type { AccountClock, ListExpired } from '../kernel/clock/account-clock.ts';
import type { Box } from '../kernel/crypto/box.ts';
import type { RunTransaction } from '../kernel/database/transaction.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Tenants } from '../partners/tenants/service.ts';
import type { NewEvent } from '../runtime/events/index.ts';
import type { UsersPort } from '../users/index.ts';
import type { NewDelivery } from '../webhooks/queue.ts';
import { type ActivityRepository, createActivityRepository } from './store/activity-repository.ts';
import { createImageRepository, type ImageRepository } from './store/image-repository.ts';
import { createLinkRepository, type LinkRepository } from './store/link-repository.ts';
import { type CipTicketDocument, createLinkModels, type DataRequestDocument } from './store/model.ts';

/** The parts of the platform and of other slices that the slice uses. */
export interface LinksDependencies {
  connection: Connection;
  box: Box;
  tenants: Pick<Tenants, 'find' | 'environments'>;
  users: Pick<
    UsersPort,
    | 'ensureByReference'
    | 'accountState'
    | 'hasReference'
    | 'recordIdentityCheck'
    | 'saveIdentityCheck'
    | 'accountOf'
    | 'completeProfile'
  >;
  events: { append(events: readonly NewEvent[], unit: UnitOfWork): void };
  webhooks: { enqueue(deliveries: readonly NewDelivery[], unit: UnitOfWork): unknown };
  transaction: RunTransaction;
  /** The time of an account's records. */
  accountClock: AccountClock;
  listExpired: ListExpired;
}

interface LinkStores {
  links: LinkRepository;
  activities: ActivityRepository;
  images: ImageRepository;
  tickets: Model<CipTicketDocument>;
  dataRequests: Model<DataRequestDocument>;
}

/** The dependencies of the slice's functions. Each one takes only the part that it needs. */
export type LinksDeps = Omit<LinksDependencies, 'connection' | 'box'> & LinkStores;

/** The dependencies of the slice's port. */
export type LinksPortDeps = LinkStores &
  Pick<LinksDeps, 'events'> & {
    users: Pick<UsersPort, 'recordIdentityCheck' | 'saveIdentityCheck' | 'hasReference'>;
  };

export function createLinksDeps({ connection, box, ...dependencies }: LinksDependencies): LinksDeps {
  return { ...dependencies, ...createLinkStores({ connection, box }) };
}

export function createLinkStores({
  connection,
  box,
}: Pick<LinksDependencies, 'connection' | 'box'>): LinkStores {
  const models = createLinkModels(connection);
  return {
    links: createLinkRepository({ model: models.links, box }),
    activities: createActivityRepository({ model: models.activities, box }),
    images: createImageRepository({ model: models.images, box }),
    tickets: models.tickets,
    dataRequests: models.dataRequests,
  };
}
