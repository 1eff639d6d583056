import type { Config } from '../../subgraphs/kernel/config/load.ts';
import { type HttpTimeouts, httpTimeouts } from './http-timeouts.ts';

/** The time limits of this process's HTTP servers. */
export function timeoutsOf(
  config: Pick<Config, 'REQUEST_TIMEOUT_SECONDS' | 'GRAPHQL_TIMEOUT_SECONDS'>,
): HttpTimeouts {
  return httpTimeouts(config.REQUEST_TIMEOUT_SECONDS, config.GRAPHQL_TIMEOUT_SECONDS);
}
