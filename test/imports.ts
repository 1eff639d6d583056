import { importsOf } from './borders.ts';

/** A name that a file exports, as the formatter writes it. Default exports have none: tools ask for them. */
const DECLARATION =
  /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
const LIST = /^export (?:type |const )?\{([^}]*)\}/gm;
/** `import { a, type B } from './c.ts'`, also over several lines. */
const STATEMENT = /^(?:import|export)\s+([^'";]*?)\s*from\s*'\.[^']+'/gm;

/**
 * Exports that no other file imports. A file that imports another with `*` uses all of it; with `import()`, the names that it
 * mentions.
 * @param files contents by path, below the project's folder
 */
export function unusedExports(files: ReadonlyMap<string, string>): { path: string; name: string }[] {
  const used = new Map<string, Set<string>>();
  const use = (by: string, statement: string, text: string) => {
    for (const imported of importsOf(by, statement)) {
      used.set(imported, new Set([...(used.get(imported) ?? []), ...(text.match(/\w+|\*/g) ?? [])]));
    }
  };
  for (const [path, content] of files) {
    for (const [statement, clause = ''] of content.matchAll(STATEMENT)) {
      use(path, statement, clause);
    }
    const names = content.replaceAll('*', '');
    for (const [call] of content.matchAll(/import\(\s*'\.[^']+'/g)) {
      use(path, call, names);
    }
  }
  return [...files].flatMap(([path, content]) => {
    const names = used.get(path);
    return names?.has('*')
      ? []
      : exportsOf(content)
          .filter((name) => !names?.has(name))
          .map((name) => ({ path, name }));
  });
}

function exportsOf(content: string): string[] {
  const declared = [...content.matchAll(DECLARATION)].map(([, name = '']) => name);
  const listed = [...content.matchAll(LIST)].flatMap(([, list = '']) => list.split(','));
  return [...declared, ...listed.flatMap((one) => /(\w+)\s*$/.exec(one)?.[1] ?? [])];
}

/** Ways along arrows that lead back to where they begin, such as `a → b → a`; at least one where there is any. */
export function findCycles(arrows: ReadonlyMap<string, Iterable<string>>): string[] {
  const seen = new Set<string>();
  const follow = (node: string, way: readonly string[]): string[] => {
    if (way.includes(node)) {
      return [[...way.slice(way.indexOf(node)), node].join(' → ')];
    }
    if (seen.has(node)) {
      return [];
    }
    seen.add(node);
    return [...(arrows.get(node) ?? [])].flatMap((next) => follow(next, [...way, node]));
  };
  return [...arrows.keys()].flatMap((node) => follow(node, []));
}
