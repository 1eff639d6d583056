import { composeTestGraph } from '../../../gateway/engine/testing/index.ts';
import type { Model } from './model.ts';
import { printFieldSet, printSubgraphs, withoutTypenames } from './print.ts';

/** The model without the fields that lead back to `Query`, and their lines in a supergraph. */
function withoutQueries(model: Model): {
  readonly model: Model;
  readonly lines: ReadonlyMap<string, string>;
} {
  const changed = structuredClone(model);
  const lines = new Map<string, string>();
  for (const type of Object.values(changed.subgraphs).flatMap((types) => Object.values(types))) {
    for (const name of Object.keys(type.fields)) {
      const field = changed.types[type.name]?.fields[name];
      if (field?.members[0] === 'Query') {
        delete type.fields[name];
        lines.set(type.name, `  ${name}: ${field.type}`);
      }
    }
  }
  return { model: changed, lines };
}

/**
 * Composes a model; throws with composition's messages when it cannot be composed. The features that `@theguild/federation-composition`
 * rejects and other composers accept is added afterwards: `__typename` in `@provides`, and fields that lead from a payload
 * to `Query`, whose fields another subgraph may answer.
 */
export function composeModel(model: Model): string {
  const { model: composable, lines } = withoutQueries(model);
  let sdl = composeTestGraph(printSubgraphs(composable, { hasTypenames: false }));
  for (const [type, line] of lines) {
    sdl = sdl.replace(new RegExp(`(?<=^type ${type}\\b[^{]*\\{\n)`, 'm'), `${line}\n`);
  }
  for (const type of Object.values(model.subgraphs).flatMap((types) => Object.values(types))) {
    for (const { provides } of Object.values(type.fields)) {
      if (provides !== undefined) {
        const composed = JSON.stringify(printFieldSet(withoutTypenames(provides)));
        sdl = sdl.replaceAll(`provides: ${composed}`, `provides: ${JSON.stringify(printFieldSet(provides))}`);
      }
    }
  }
  return sdl;
}
