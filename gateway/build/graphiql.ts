import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** The files of packages that the page of GraphiQL loads, by the package. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  graphiql: ['graphiql.min.css', 'graphiql.min.js'],
  'graphql-ws': ['umd/graphql-ws.min.js'],
  react: ['umd/react.production.min.js'],
  'react-dom': ['umd/react-dom.production.min.js'],
};

const { resolve } = createRequire(import.meta.url);

/**
 * Copies the files that GraphiQL consists of, as their packages publish them. So production installs no React, and a project
 * that imports `remitgraph/react` has only its own.
 * @returns the files by name
 */
export function makeGraphiQL(): Map<string, Buffer> {
  return new Map(
    Object.entries(FILES).flatMap(([name, files]) => {
      // Found through package.json: these packages do not export their browser builds.
      const folder = dirname(resolve(`${name}/package.json`));
      return files.map((file) => [basename(file), readFileSync(join(folder, file))] as const);
    }),
  );
}
