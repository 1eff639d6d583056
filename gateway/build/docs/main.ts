import { projectRoot } from '../../../subgraphs/kernel/project-root.ts';
import { writeDocs } from './make.ts';

// `node …/main.js FOLDER`: `npm run build` runs it to build the documentation pages.

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  throw new TypeError('Say which folder the pages are written to');
}
writeDocs(projectRoot(), folder);
