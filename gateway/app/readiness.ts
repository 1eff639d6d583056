import type { Connection } from 'mongoose';
import type { DatabaseClock } from '../../subgraphs/kernel/clock/database-clock.ts';
import type { ReadinessCheck } from '../http/health.ts';

/** The checks of `/health/ready`: the database answers and takes writes, and the machine's clock agrees with it. */
export function readinessOf({
  connection,
  proveWrites,
  subgraphs: { clock },
}: {
  readonly connection: Connection;
  /** @throws when the database takes no write; absent in applications without a process of their own */
  readonly proveWrites?: (() => Promise<void>) | undefined;
  readonly subgraphs: { readonly clock: Pick<DatabaseClock, 'isRight' | 'skewMs'> };
}): ReadinessCheck[] {
  return [
    ['store', async () => void (await connection.db?.admin().ping())],
    ...(proveWrites ? [['writes', proveWrites] as const] : []),
    [
      'clock',
      async () => {
        if (!clock.isRight()) {
          throw new Error(`The clock differs from the database's by ${clock.skewMs()} ms`);
        }
      },
    ],
  ];
}
