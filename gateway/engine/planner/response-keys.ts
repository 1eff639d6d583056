import type { FieldNode } from 'graphql';
import type { FieldNameIndex } from './supergraph.ts';

/**
 * The names under which results are held while a plan runs. They are the client's response keys, except where
 * one would collide with a field that the plan fetches for itself (`id: name` beside the key `id`, or
 * `price(currency: "EUR")` beside a `@requires` on `price`), with the planner's own aliases, or with a property
 * that every JavaScript object has. Hive Router's planner 0.0.38 answers wrongly, or ends the process, on such
 * collisions, so they never reach it.
 */
export interface ResponseKeys {
  /** The key under which the value of `field` is held. */
  planKey(field: FieldNode): string;
  /** The client's response key for a key of the plan. */
  clientKey(planKey: string): string;
}

const OWN_KEY = /^_rk\d+$/;

/** The key of a field in the client's response. */
export function responseKey(field: FieldNode): string {
  return field.alias?.value ?? field.name.value;
}

function isHazardous(field: FieldNode, names: FieldNameIndex): boolean {
  const name = field.name.value;
  const key = responseKey(field);
  if (key in Object.prototype || OWN_KEY.test(key)) {
    return true;
  }
  if (key !== name) {
    return key.startsWith('_') || names.all.has(key);
  }
  const hasArguments = (field.arguments ?? []).length > 0;
  return names.requiredWithArguments.has(name) || (hasArguments && names.required.has(name));
}

/** Response keys for one operation; one client key always gets the same key of the plan. */
export function createResponseKeys(names: FieldNameIndex): ResponseKeys {
  const planKeys = new Map<string, string>();
  const clientKeys = new Map<string, string>();
  return {
    planKey(field) {
      const key = responseKey(field);
      if (!isHazardous(field, names)) {
        return key;
      }
      const known = planKeys.get(key);
      if (known !== undefined) {
        return known;
      }
      const planKey = `_rk${planKeys.size}`;
      planKeys.set(key, planKey);
      clientKeys.set(planKey, key);
      return planKey;
    },
    clientKey: (planKey) => clientKeys.get(planKey) ?? planKey,
  };
}
