// `node gateway/cli/run.mjs PROGRAM [arguments]`: runs a program, such as `server` (see programs.mjs), or a module of
// dist/, such as schema/generate.js, in this process: it receives signals, and its exit code is the exit code of the command.
// If the sources, their tests or the packages have changed, dist/ is built first.
import { runCommand, runProgram } from '../build/dist.mjs';

await runCommand(() => {
  const [program, ...args] = process.argv.slice(2);
  return runProgram(program, args);
});
