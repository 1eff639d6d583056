import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { projectRoot } from '../../subgraphs/kernel/project-root.ts';
import { makeConsole } from './console/make.ts';
import { makeDocs } from './docs/make.ts';
import { makeGraphiQL } from './graphiql.ts';

// `node …/pages.js FOLDER`: `npm run build` runs it to build the documentation pages, the console and GraphiQL.

const [parent] = process.argv.slice(2);
if (parent === undefined) {
  throw new TypeError('Say which folder the pages are written to');
}
const made = {
  docs: makeDocs(projectRoot()),
  console: await makeConsole(projectRoot()),
  graphiql: makeGraphiQL(),
};
for (const [folder, files] of Object.entries(made)) {
  for (const [file, content] of files) {
    const path = join(parent, folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    // For clients that accept gzip. GraphiQL runs on the developer's machine.
    if (folder !== 'graphiql') {
      writeFileSync(`${path}.gz`, gzipSync(content));
    }
  }
}
