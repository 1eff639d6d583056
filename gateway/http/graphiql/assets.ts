import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { projectRoot } from '../../../subgraphs/kernel/project-root.ts';

/** A file that the page loads. */
interface Asset {
  /**
   * Hash of the file's content, hexadecimal. It is a part of the file's address, so that the address never means other bytes.
   */
  readonly hash: string;
  readonly folder: string;
  readonly file: string;
}

const resolvePackageFile = createRequire(import.meta.url).resolve;

/** In the order in which the page loads them: each script needs those before it. */
function assetPaths(): string[] {
  const own = join(projectRoot(), 'gateway', 'http', 'graphiql');
  return [
    packageFile('graphiql', 'graphiql.min.css'),
    join(own, 'page.css'),
    packageFile('react', 'umd/react.production.min.js'),
    packageFile('react-dom', 'umd/react-dom.production.min.js'),
    packageFile('graphql-ws', 'umd/graphql-ws.min.js'),
    packageFile('graphiql', 'graphiql.min.js'),
    join(own, 'page.js'),
  ];
}

/** Found through package.json: these packages do not export their browser builds. */
function packageFile(name: string, file: string): string {
  return join(dirname(resolvePackageFile(`${name}/package.json`)), file);
}

/** Everything that the page loads, read once for its hashes. */
export function findAssets(): Promise<Asset[]> {
  return Promise.all(
    assetPaths().map(async (path) => ({
      hash: createHash('sha256')
        .update(await readFile(path))
        .digest('hex')
        .slice(0, 16),
      folder: dirname(path),
      file: basename(path),
    })),
  );
}

/** The operations that the editor starts with. */
export function readDefaultQuery(): Promise<string> {
  return readFile(join(projectRoot(), 'gateway', 'http', 'graphiql', 'default-query.graphql'), 'utf8');
}
