import { type ArgumentNode, type FieldNode, print } from 'graphql';
import { type ResponseKeys, responseKey } from '../operation/response-keys.ts';
import type { FieldNameIndex } from '../supergraph/supergraph.ts';
import { remember } from './remember.ts';

/** The arguments as text, in one order whatever the document's; '' when there are none. */
export function argumentsText(args: readonly ArgumentNode[] | undefined): string {
  return args === undefined || args.length === 0 ? '' : args.map(print).sort().join(', ');
}

/** Whether the plan may hold something else under the response key. */
function isHazardous(field: FieldNode, names: FieldNameIndex): boolean {
  const name = field.name.value;
  const key = responseKey(field);
  const isTypename = key === '__typename' && name === key;
  if (key in Object.prototype || (key.startsWith('_') && !isTypename)) {
    return true;
  }
  return key === name ? (field.arguments ?? []).length > 0 && names.own.has(name) : names.all.has(key);
}

/**
 * Makes the keys for one operation: one for each response key, field and arguments. Fragments on types that exclude each
 * other may ask for different fields, or for one field with different arguments, under one response key; a fetch that gets
 * both needs a key for each. A response key also gets another name where the plan may fetch something for itself under it
 * (`id: name` beside the key `id`), and where every JavaScript object has such a property.
 */
export function createResponseKeys(names: FieldNameIndex): ResponseKeys {
  const planKeys = new Map<string, string>();
  const clientKeys = new Map<string, string>();
  const byNode = new WeakMap<FieldNode, string>();
  const keyOf = (field: FieldNode): string => {
    const key = responseKey(field);
    const id = `${key} ${field.name.value} ${argumentsText(field.arguments)}`;
    return remember(planKeys, id, () => {
      const isFree = !isHazardous(field, names) && !clientKeys.has(key);
      const planKey = isFree ? key : `_rk${planKeys.size}`;
      clientKeys.set(planKey, key);
      return planKey;
    });
  };
  return {
    planKey: (field) => remember(byNode, field, () => keyOf(field)),
    clientKey: (planKey) => clientKeys.get(planKey) ?? planKey,
  };
}
