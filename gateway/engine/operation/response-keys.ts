import type { FieldNode } from 'graphql';

/**
 * The keys under which values are held while a plan runs. Most are the client's response keys. A planner gives other
 * keys to fields whose response key would collide with what its plans fetch for themselves.
 */
export interface ResponseKeys {
  /** The key under which the value of `field` is held. */
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
