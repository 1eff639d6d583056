import type { TypeIndex } from '../supergraph/supergraph.ts';
import { type DataObject, isDataObject } from './state.ts';

/** Adds the data of one fetch to the data of earlier fetches for the same object, in place. */
export type Merge = (target: DataObject, source: DataObject) => void;

/**
 * New values are taken unchanged, objects are merged key by key, and lists item by item. A null never
 * replaces a value: two subgraphs may answer for one object, and only one of them failed. `__typename` of an
 * object type replaces that of an interface (an interface object does not know the real one), never the reverse.
 */
export function createMerge(types: Pick<TypeIndex, 'isObjectType'>): Merge {
  function mergeValue(target: unknown, source: unknown): unknown {
    if (source === null || source === undefined) {
      return target === undefined ? source : target;
    }
    if (target === null || target === undefined) {
      return source;
    }
    if (Array.isArray(target) && Array.isArray(source)) {
      mergeLists(target, source);
      return target;
    }
    if (isDataObject(target) && isDataObject(source)) {
      merge(target, source);
      return target;
    }
    return source;
  }

  function mergeLists(target: unknown[], source: readonly unknown[]): void {
    const common = Math.min(target.length, source.length);
    for (let index = 0; index < common; index++) {
      target[index] = mergeValue(target[index], source[index]);
    }
  }

  function merge(target: DataObject, source: DataObject): void {
    if (target === source) {
      return;
    }
    for (const key in source) {
      const value = source[key];
      const known = target[key];
      if (known === undefined) {
        target[key] = value;
      } else if (key !== '__typename') {
        target[key] = mergeValue(known, value);
      } else if (typeof value === 'string' && value !== known && types.isObjectType(value)) {
        target[key] = value;
      }
    }
  }

  return merge;
}

/**
 * Copies a value with all its objects and lists. Positions with different selections must not share an entity: data that is
 * fetched for one position would show at the other.
 */
export function copyData(source: DataObject): DataObject {
  const copyValue = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value.map(copyValue);
    }
    return isDataObject(value) && !('toJSON' in value) ? copyData(value) : value;
  };
  const copy: DataObject = {};
  for (const key in source) {
    copy[key] = copyValue(source[key]);
  }
  return copy;
}
