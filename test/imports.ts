import { importsOf } from './borders.ts';

/** Names that a file exports, in the form that the formatter gives them. A default export is for a tool, and has no name. */
const DECLARATION =
  /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
const LIST = /^export (?:type |const )?\{([^}]*)\}/gm;
/** The names that a file takes from another: `import { a, type B } from './c.ts'`. */
const NAMED = /^(?:import|export)\s+([^'";]*?)\s*from\s*'(\.[^']+)'/gm;

/**
 * Exports that no other file imports: `folder/file.ts exports name`. A file that imports another as a whole, with `*` or with
 * `import()`, uses each name that it mentions.
 * @param files content by path, below the project's folder
 */
export function unusedExports(files: ReadonlyMap<string, string>): string[] {
  const used = new Map<string, Set<string>>();
  for (const [path, content] of files) {
    for (const [imported, text] of usesOf(path, content)) {
      const names = used.get(imported) ?? new Set();
      used.set(imported, names);
      for (const name of text.match(/\w+/g) ?? []) {
        names.add(name);
      }
    }
  }
  return [...files].flatMap(([path, content]) =>
    exportsOf(content)
      .filter((name) => !used.get(path)?.has(name))
      .map((name) => `${path} exports ${name}`),
  );
}

function exportsOf(content: string): string[] {
  const declared = [...content.matchAll(DECLARATION)].map(([, name = '']) => name);
  const listed = [...content.matchAll(LIST)].flatMap(([, list = '']) => list.split(','));
  return [...declared, ...listed.flatMap((one) => /(\w+)\s*$/.exec(one)?.[1] ?? [])];
}

/** The files that a file imports, each with the text that names what it takes. */
function usesOf(path: string, content: string): [imported: string, text: string][] {
  const named = [...content.matchAll(NAMED)]
    .filter(([, clause = '']) => !clause.includes('*'))
    .map(([statement, clause = '']): [string, string] => [importsOf(path, statement)[0] ?? '', clause]);
  const rest = content.replaceAll(NAMED, (statement, clause: string) =>
    clause.includes('*') ? statement : '',
  );
  return [...named, ...importsOf(path, rest).map((imported): [string, string] => [imported, content])];
}

/** Ways along arrows that lead back to where they begin, such as `a → b → a`; at least one for each knot of them. */
export function findCycles(arrows: ReadonlyMap<string, Iterable<string>>): string[] {
  const seen = new Set<string>();
  const found: string[] = [];
  const follow = (node: string, way: readonly string[]) => {
    if (way.includes(node)) {
      found.push([...way.slice(way.indexOf(node)), node].join(' → '));
    } else if (!seen.has(node)) {
      seen.add(node);
      for (const next of arrows.get(node) ?? []) {
        follow(next, [...way, node]);
      }
    }
  };
  for (const node of arrows.keys()) {
    follow(node, []);
  }
  return found;
}
