/**
 * Why an attempt failed, as partners see it. A forbidden address and an unreachable host look the same: the difference would
 * reveal which names and addresses our own network has. The log keeps the cause.
 */
export function toPartnerError<Text extends string>(error: Text): Text | 'network' {
  return error === 'refused_address' ? 'network' : error;
}
