import type { Model } from './model.ts';
import { requiresOf } from './own-wants.ts';
import type { RequiresSelection } from './plan.ts';
import { remember } from './remember.ts';
import type { Group, Reference, References, Site } from './tree.ts';

/** Groups that are fetched together: of entities, by one reference to each object. */
export type Bundle = readonly [Group, ...Group[]];

/** The references of a bundle by class. */
export function referencesOf(bundle: Bundle): Map<string, References> {
  const found = new Map<string, References>();
  for (const [cls, reference] of bundle.flatMap(({ references }) => [...references])) {
    const known = found.get(cls);
    found.set(cls, known === undefined ? [reference] : [...known, reference]);
  }
  return found;
}

/** Whether references can carry all of this: the subgraph knows a field by its name alone, whatever its arguments are. */
function hasOneMeaning(
  selections: readonly RequiresSelection[],
  path = '',
  meanings = new Map<string, string>(),
): boolean {
  return selections.every((selection) => {
    if (selection.kind === 'InlineFragment') {
      return hasOneMeaning(selection.selections, path, meanings);
    }
    const { name, alias = name, selections: below = [] } = selection;
    const place = `${path}.${alias}`;
    return remember(meanings, place, () => name) === name && hasOneMeaning(below, place, meanings);
  });
}

/** Whether two references differ only in what they require. */
function isAlike({ entrance: one }: Reference, { entrance: other }: Reference): boolean {
  return one.owner === other.owner && one.key === other.key;
}

/** Whether a group may join a bundle. Each has all that it needs when the other has, so none fails because of the other. */
function fits(model: Model, bundle: Bundle, group: Group, reasonsOf: (group: Group) => string): boolean {
  const [first] = bundle;
  const isSame =
    first.subgraph === group.subgraph &&
    first.needs.size === group.needs.size &&
    [...first.needs].every((need) => group.needs.has(need)) &&
    reasonsOf(first) === reasonsOf(group);
  const isOfEntities = ({ references, selection }: Group) => references.size > 0 && selection.type === null;
  return (
    isSame &&
    isOfEntities(first) &&
    isOfEntities(group) &&
    [...referencesOf([...bundle, group])].every(
      ([cls, references]) =>
        references.every((one) => isAlike(one, references[0])) &&
        hasOneMeaning([requiresOf(model, cls, references)]),
    )
  );
}

/** Puts groups together that can be fetched by the same references. */
export function bundlesOf(
  model: Model,
  groups: readonly Group[],
  reasonsOf: (group: Group) => string,
): Bundle[] {
  const bySite = new Map<Site, Bundle[]>();
  for (const group of groups) {
    const bundles = remember(bySite, group.site, () => []);
    const index = bundles.findIndex((bundle) => fits(model, bundle, group, reasonsOf));
    const bundle = bundles[index];
    if (bundle === undefined) {
      bundles.push([group]);
    } else {
      bundles[index] = [...bundle, group];
    }
  }
  return [...bySite.values()].flat();
}
