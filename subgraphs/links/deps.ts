import type { ClientSession, Connection, Model } from 'mongoose';
import type { Box } from '../platform/crypto/box.ts';
import type { NewEvent } from '../platform/events/index.ts';
import type { Tenant } from '../platform/tenants/service.ts';
import type { RunTransaction } from '../platform/transaction.ts';
import type { NewDelivery } from '../platform/webhooks/queue.ts';
import type { UsersPort } from '../users/index.ts';
import { type ActivityRepository, createActivityRepository } from './activity-repository.ts';
import { createImageRepository, type ImageRepository } from './image-repository.ts';
import { createLinkRepository, type LinkRepository } from './link-repository.ts';
import { type CipTicketDocument, createLinkModels, type DataRequestDocument } from './model.ts';

/** What the slice asks of the platform and of its neighbours. */
export interface LinksSeams {
  connection: Connection;
  box: Box;
  tenants: { find(tenantId: string): Promise<Tenant | undefined> };
  users: Pick<
    UsersPort,
    'ensureByReference' | 'standing' | 'recordIdentityCheck' | 'tenantOf' | 'completeProfile'
  >;
  events: { append(events: NewEvent[], session: ClientSession): Promise<void>; nudge(): void };
  webhooks: {
    enqueue(deliveries: NewDelivery[], session: ClientSession): Promise<string[]>;
    nudge(deliveryIds: readonly string[]): void;
  };
  transaction: RunTransaction;
  clock: () => Date;
}

/** What the slice's operations stand on. Each function asks for the part that it needs. */
export interface LinksDeps extends Omit<LinksSeams, 'connection' | 'box'> {
  links: LinkRepository;
  activities: ActivityRepository;
  images: ImageRepository;
  tickets: Model<CipTicketDocument>;
  dataRequests: Model<DataRequestDocument>;
}

export function createLinksDeps({ connection, box, ...seams }: LinksSeams): LinksDeps {
  const models = createLinkModels(connection);
  return {
    ...seams,
    links: createLinkRepository({ model: models.links, box }),
    activities: createActivityRepository(models.activities),
    images: createImageRepository({ model: models.images, box }),
    tickets: models.tickets,
    dataRequests: models.dataRequests,
  };
}
