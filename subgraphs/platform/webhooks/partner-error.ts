/**
 * Why an attempt failed, as partners see it. An address that is forbidden and a host that cannot be reached are one to
 * them: the difference would tell which names and addresses our own network has. The log keeps the cause.
 */
export function toPartnerError<Text extends string>(error: Text): Text | 'network' {
  return error === 'refused_address' ? 'network' : error;
}
