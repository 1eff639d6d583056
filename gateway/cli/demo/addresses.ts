import type { Demo } from './demo.ts';
import { moneyRequestInput } from './operations.ts';
import type { Terminal } from './terminal.ts';

/** Shows the addresses, the key, and a call to paste. */
export function showAddresses({ server, partner, logFile }: Demo, { write, colors }: Terminal): void {
  const places = [
    ['REST', `${server.url}/v1/request-money`],
    ['GraphQL', `${server.url}/graphql`],
    ['GraphiQL', `${server.url}/graphiql`],
    ['Health', `${server.url}/health/ready`],
    ['API key', partner.key],
    ['Store', server.store.description],
    ['Server log', logFile],
  ] as const;
  for (const [name, place] of places) {
    write(`${colors.bold(name.padEnd(12))}${place}\n`);
  }
  write(`\n${colors.bold('Try it:')}\n${curl(server.url, partner.key)}\n`);
}

/** Creates a different money request if it is pasted in a different second. */
function curl(url: string, key: string): string {
  const body = JSON.stringify(moneyRequestInput('Demo0000')).replaceAll('Demo0000', `Demo'$(date +%M%S)'`);
  return [
    `curl -sS ${url}/v1/request-money`,
    `  -H 'X-API-Key: ${key}'`,
    `  -H 'Content-Type: application/json'`,
    `  -d '${body}'`,
  ].join(' \\\n');
}
