import type { FieldNode } from 'graphql';
import { type ResponseKeys, responseKey } from '../../operation/response-keys.ts';
import type { FieldNameIndex } from '../../supergraph/supergraph.ts';

const OWN_KEY = /^_rk\d+$/;

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

/**
 * Makes the keys for one operation. A response key gets another name where it would collide with a field that the plan
 * fetches for itself (`id: name` beside the key `id`, `price(currency: "EUR")` beside a `@requires` on `price`), with
 * the planner's own aliases, or with a property that every JavaScript object has. Hive Router's planner 0.0.38 answers
 * wrongly on such collisions, or ends the process, so they never reach it. One response key always gets the same name.
 */
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
