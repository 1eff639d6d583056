// `npm run build`, its second half: writes dist/. The first half checks the types.
import { build, runCommand } from './dist.mjs';

await runCommand(build);
