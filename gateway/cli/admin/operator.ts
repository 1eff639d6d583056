import { hostname, userInfo } from 'node:os';
import type { Operator } from '../../../subgraphs/partners/operator-log/index.ts';

/** The person at the command line: the user of the operating system, and the machine. */
export function commandOperator(): Operator {
  return { source: 'COMMAND', actor: userName(), host: hostname() };
}

/** In a container, a user may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
