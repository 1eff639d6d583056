import type { DeliveryError } from './model.ts';

/**
 * What partners are told of a failed attempt. An address that we refuse and a host that cannot be reached are one to
 * them: the difference would tell which names and addresses of our own network exist. The log keeps the cause.
 */
export function toPartnerError<Error extends DeliveryError>(error: Error): Error | 'network' {
  return error === 'refused_address' ? 'network' : error;
}
