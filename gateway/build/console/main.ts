import { projectRoot } from '../../../subgraphs/kernel/project-root.ts';
import { writeConsole } from './make.ts';

// `node …/main.js FOLDER`: `npm run build` runs it to build the console.

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  throw new TypeError('Say which folder the console is written to');
}
await writeConsole(projectRoot(), folder);
