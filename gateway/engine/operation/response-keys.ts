import type { FieldNode } from 'graphql';

/**
 * The keys of values while a plan runs. Most are the client's response keys. A planner chooses other keys where a
 * response key would collide with a field that its plans fetch for themselves.
 */
export interface ResponseKeys {
  /** The key of `field` while the plan runs. */
  planKey(field: FieldNode): string;
  /** The client's response key for a key of the plan. */
  clientKey(planKey: string): string;
}

/** The key of a field in the client's response. */
export function responseKey(field: FieldNode): string {
  return field.alias?.value ?? field.name.value;
}

/** The keys of a planner whose plans hold values under the client's own keys. */
export const CLIENT_KEYS: ResponseKeys = { planKey: responseKey, clientKey: (key) => key };
