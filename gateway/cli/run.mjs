// `node gateway/cli/run.mjs PROGRAM [arguments]`: runs a program of dist/, such as gateway/app/main.js, in this very process:
// signals reach it, and its exit code is this one's. dist/ is compiled first when the sources have changed.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIST, ensureBuilt, runCommand } from './dist.mjs';

await runCommand(async () => {
  const [node, , program, ...args] = process.argv;
  await ensureBuilt();
  const path = join(DIST, program);
  process.argv = [node, path, ...args];
  await import(pathToFileURL(path).href);
});
