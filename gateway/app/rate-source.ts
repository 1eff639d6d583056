import { z } from 'zod';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import { parseJson } from '../../subgraphs/kernel/json/parse-json.ts';
import type { Logger } from '../../subgraphs/kernel/log/log.ts';
import { fxRateSchema } from '../../subgraphs/partners/tenants/route-schema.ts';
import type { FxRate, Tenants } from '../../subgraphs/partners/tenants/service.ts';
import { createGuardedFetch, type GuardedFetch } from '../http/sign-in/guarded-fetch.ts';

/** Time for a whole answer. */
const SOURCE_TIMEOUT_MS = 10_000;
/** More rates than pairs of currencies that anybody serves. */
const MOST_RATES = 1_000;
/** A source whose clock is further ahead would keep its rates fresh for too long. */
const MOST_AHEAD_MS = 60_000;

/** Rates, and the time that they are of. */
interface ReadRates {
  readonly asOf: Date;
  readonly rates: readonly FxRate[];
}

/** Where rates come from besides the table that operators set. */
export interface RateSource {
  /** @throws an error without rates: the source cannot be reached, is too slow, or gives no usable answer */
  read(signal: AbortSignal): Promise<ReadRates>;
  close(): Promise<void>;
}

const ANSWER = z.object({
  asOf: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
  rates: z.array(fxRateSchema).min(1).max(MOST_RATES),
});

/**
 * A source over HTTPS: `GET` answers `{asOf, rates: [{source, destination, rate}]}`, rates as decimal strings. Its address must be
 * public, or in `FX_RATES_ALLOWED_CIDRS` (SSRF); redirects are not followed, and an answer has at most 512 KB.
 */
export function createHttpRates(url: string, { fetch, close }: GuardedFetch): RateSource {
  return {
    read: async (signal) => {
      const answer = await fetch(url, { method: 'GET', headers: { accept: 'application/json' }, signal });
      const text = await answer.text();
      const parsed = answer.status === 200 ? ANSWER.safeParse(parseJson(text)) : undefined;
      if (!parsed?.success) {
        const [issue] = parsed?.error.issues ?? [];
        const reason = issue ? `${issue.path.join('.')}: ${issue.message}` : `status ${answer.status}`;
        throw new TypeError(`The source of exchange rates gave no usable answer (${reason})`);
      }
      return parsed.data;
    },
    close,
  };
}

/** The source that the configuration names; undefined without one. */
export function rateSourceOf(
  config: Pick<Config, 'FX_RATES_URL' | 'FX_RATES_ALLOWED_CIDRS'>,
): RateSource | undefined {
  const { FX_RATES_URL: url, FX_RATES_ALLOWED_CIDRS: allowedCidrs } = config;
  return url === undefined
    ? undefined
    : createHttpRates(url, createGuardedFetch({ allowedCidrs, timeoutMs: SOURCE_TIMEOUT_MS }));
}

interface RefreshDeps {
  readonly tenants: Pick<Tenants, 'refreshFxRates'>;
  readonly clock: () => Date;
  readonly log: Pick<Logger, 'info'>;
  /** From this age on, a rate is too old for live calls. */
  readonly maxAgeSeconds: number;
}

/**
 * Stores the rates of a source. Without an answer the stored rates stay, until they are too old for live calls.
 * @throws the error of the source; TypeError for rates of the future
 */
export async function refreshRates(
  { tenants, clock, log, maxAgeSeconds }: RefreshDeps,
  source: Pick<RateSource, 'read'>,
  signal: AbortSignal,
): Promise<void> {
  const { asOf, rates } = await source.read(signal);
  if (asOf.getTime() > clock().getTime() + MOST_AHEAD_MS) {
    throw new TypeError(`The source of exchange rates gave rates of the future (${asOf.toISOString()})`);
  }
  const staleAt = new Date(asOf.getTime() + maxAgeSeconds * 1_000);
  await tenants.refreshFxRates(rates, { asOf, staleAt });
  log.info({ rates: rates.length, asOf }, 'rates.refreshed');
}
