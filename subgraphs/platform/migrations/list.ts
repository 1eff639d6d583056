import { indexes } from './0001-indexes.ts';
import { keyEnvironments } from './0002-key-environments.ts';
import { dropFormer } from './0003-drop-former-indexes.ts';
import { consoleSessions } from './0004-console-sessions.ts';
import { requestLog } from './0005-request-log.ts';
import { platIds } from './0006-plat-ids.ts';
import { processes } from './0007-processes.ts';
import { failedCalls } from './0008-failed-calls.ts';
import { openRequests } from './0009-open-requests.ts';
import type { Migration } from './migration.ts';

/** Every migration of this version, by number. */
export const MIGRATIONS: readonly Migration[] = [
  indexes,
  keyEnvironments,
  dropFormer,
  consoleSessions,
  requestLog,
  platIds,
  processes,
  failedCalls,
  openRequests,
];
