// `node gateway/cli/run.mjs PROGRAM [arguments]`: runs a program, such as `server` (see programs.mjs), or a module of
// dist/, such as schema/generate.js, in this very process: signals reach it, and its exit code is this one's. dist/ is
// made first when the sources have changed.
import { pathToFileURL } from 'node:url';
import { ensureBuilt, pathOf, runCommand } from './dist.mjs';

await runCommand(async () => {
  const [node, , program, ...args] = process.argv;
  await ensureBuilt();
  const path = pathOf(program);
  process.argv = [node, path, ...args];
  await import(pathToFileURL(path).href);
});
