import type { Model } from 'mongoose';
import type { Config } from '../../../subgraphs/kernel/config/load.ts';
import type { ProcessDocument } from '../../../subgraphs/runtime/processes/model.ts';
import { publicUrlOf } from '../../app/public-url.ts';

/** A server reports every 30 s that it runs. */
const RUNNING_MS = 90_000;

type Settings = Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT' | 'NODE_ENV'>;

/**
 * Address of the service for clients, without a slash at its end: `PUBLIC_URL` of this command, else the address of
 * the server that started last, else host and port of this command. Undefined in production if no `PUBLIC_URL` is
 * known.
 */
export async function findPublicUrl(
  processes: Model<ProcessDocument>,
  config: Settings,
): Promise<string | undefined> {
  if (config.PUBLIC_URL !== undefined) {
    return publicUrlOf(config);
  }
  const running = await processes
    .findOne({ role: { $in: ['all', 'gateway'] }, seenAt: { $gt: new Date(Date.now() - RUNNING_MS) } })
    .sort({ startedAt: -1 })
    .lean();
  const settings = new Map(running?.settings.map(({ name, value }) => [name, value]));
  const served = {
    PUBLIC_URL: settings.get('PUBLIC_URL') ?? undefined,
    HOST: settings.get('HOST') ?? config.HOST,
    PORT: Number(settings.get('PORT') ?? config.PORT),
  };
  return served.PUBLIC_URL === undefined && config.NODE_ENV === 'production'
    ? undefined
    : publicUrlOf(served);
}
