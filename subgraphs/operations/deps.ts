import type { ClientSession } from 'mongoose';
import type { NewEvent } from '../platform/events/index.ts';
import type { UsersPort } from '../users/index.ts';
import type { OperationModels } from './model.ts';

/** What writing operations in somebody's transaction stands on. */
export interface OperationWriting {
  models: OperationModels;
  users: Pick<UsersPort, 'countRequest'>;
  events: { append(events: NewEvent[], session: ClientSession): Promise<void> };
  /** Makes codes for support. */
  newCode: () => string;
}
