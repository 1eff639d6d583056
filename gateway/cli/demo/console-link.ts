import type { Demo } from './demo.ts';
import type { Terminal } from './terminal.ts';

const CREATE_LINK = `mutation {
  createConsoleLink(input: { access: ADMIN, label: "Demo", expiresInMinutes: 15 }) { url userErrors { message } }
}`;

/** The tenant of the console. */
interface ConsoleOwner {
  /** Where the server listens, such as `http://127.0.0.1:4000`. */
  readonly url: string;
  /** The partner's key. */
  readonly key: string;
  /**
   * Whether `PUBLIC_URL` is set; otherwise the address is the one on which the server listens, with its actual port.
   */
  readonly isPublic: boolean;
}

/**
 * Creates a link that signs in to the console once, within 15 minutes, as the partner's own server would.
 * @throws Error with the answer if it has no link
 */
export async function createConsoleLink({ url, key, isPublic }: ConsoleOwner): Promise<string> {
  const response = await fetch(new URL('/graphql', url), {
    method: 'POST',
    headers: { 'X-API-Key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ query: CREATE_LINK }),
  });
  const text = await response.text();
  const { data }: { data?: { createConsoleLink: { url: string | null } } | null } = JSON.parse(text);
  if (!data?.createConsoleLink.url) {
    throw new Error(`There is no link to the console: the answer was ${response.status} ${text}`);
  }
  const link = new URL(data.createConsoleLink.url);
  return isPublic ? link.href : `${url}${link.pathname}${link.hash}`;
}

/** Shows a link to the console; on a terminal, another one each time that Enter is pressed. @returns stops that */
export async function offerConsole(
  { server, partner }: Demo,
  { write, colors }: Terminal,
): Promise<() => void> {
  const { stdin } = process;
  const owner = { url: server.url, key: partner.key, isPublic: server.config.PUBLIC_URL !== undefined };
  const show = async () => {
    write(`${colors.bold('Console'.padEnd(12))}${await createConsoleLink(owner)}\n`);
  };
  await show();
  if (!stdin.isTTY) {
    return () => undefined;
  }
  write(`${colors.dim('The link works once, within 15 minutes. Enter makes another.')}\n`);
  const again = () => {
    show().catch((error: Error) => write(`${error.message}\n`));
  };
  stdin.on('data', again);
  return () => {
    stdin.off('data', again).pause();
  };
}
