import type { TypeIndex } from '../../supergraph/supergraph.ts';
import type { FetchRewrite, RequiresSelection } from '../plan.ts';

function typeSetBy(rewrite: FetchRewrite): string[] {
  if (!('ValueSetter' in rewrite)) {
    return [];
  }
  const { path, setValueTo } = rewrite.ValueSetter;
  const last = path.at(-1);
  return last !== undefined && 'Key' in last && last.Key === '__typename' ? [setValueTo] : [];
}

/**
 * Puts the interface in the place of its types, in what a fetch from a subgraph with an interface object requires. Such
 * a subgraph knows all types of the interface by that one name. Where Hive Router's planner 0.0.38 joins fetches for
 * several of the types, it keeps the condition of one, and objects of the others would get nothing.
 *
 * @param rewrites what the plan writes into references; the interface's name shows that there is an interface object
 */
export function widenToInterfaceObjects(
  requires: readonly RequiresSelection[],
  rewrites: readonly FetchRewrite[],
  types: Pick<TypeIndex, 'satisfies'>,
): readonly RequiresSelection[] {
  const interfaces = rewrites.flatMap(typeSetBy);
  return requires.map((selection) => {
    if (selection.kind !== 'InlineFragment') {
      return selection;
    }
    const wider = interfaces.find((name) => types.satisfies(selection.typeCondition, name));
    return wider === undefined ? selection : { ...selection, typeCondition: wider };
  });
}
