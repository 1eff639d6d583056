// `node gateway/cli/run.mjs PROGRAM [arguments]`: runs a program, such as `server` (see programs.mjs), or a module of
// dist/, such as schema/generate.js, in this very process: signals reach it, and its exit code is this one's. dist/ is
// made first when the sources have changed.
import { runCommand, runProgram } from './dist.mjs';

await runCommand(() => {
  const [program, ...args] = process.argv.slice(2);
  return runProgram(program, args);
});
