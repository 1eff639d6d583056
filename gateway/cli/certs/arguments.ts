import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { commandLine, HELP, parseOptions, type Usage } from '../../../subgraphs/kernel/command-line.ts';

/** The options of the command line. */
export interface CertsOptions {
  /** Folder to write to; made when it is not there. */
  readonly out: string;
  /** DNS names and addresses under which the server is called, besides those of this machine. */
  readonly hosts: readonly string[];
  /** Of the PKCS#12 file. */
  readonly passphrase: string;
  /** Whether to print JSON. */
  readonly json: boolean;
}

/** The text of `--help`. */
export const USAGE = `${commandLine('certs', '--out DIR [options]')}   makes certificates to try the mutual-TLS listener with

  --out DIR           folder for the files; none of them may be there yet
  --host NAME         name or address by which the server is called, besides localhost, 127.0.0.1 and ::1
                      (repeatable)
  --passphrase TEXT   of the PKCS#12 file, ASCII                     (default: one is made)
  --json              print paths, passphrase and the SHA-256 of the client's certificate as JSON

Examples:
  ${commandLine('certs', '--out certs')}
  ${commandLine('certs', '--out certs --host api.example.com --json')} | jq -r .clientSha256

Exit codes: 0 done; 1 an error, such as a file that is there already; 2 a wrong command line.
`;

const HOST_NAME = /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;
const PASSPHRASE_BYTES = 12;

/** Reads the command line and reports all issues at once. */
export function readArguments(args: readonly string[]): CertsOptions | Usage {
  const values = parseOptions(args, {
    out: { type: 'string', default: '' },
    host: { type: 'string', multiple: true, default: [] },
    passphrase: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: HELP,
  });
  if ('issues' in values) {
    return values;
  }
  const { out, json, host: hosts, passphrase = randomBytes(PASSPHRASE_BYTES).toString('base64url') } = values;
  const issues = hosts
    .filter((host) => isIP(host) === 0 && !HOST_NAME.test(host))
    .map((host) => `--host must be a DNS name or an address, not "${host}".`);
  if (out === '') {
    issues.push('--out is missing: it names the folder for the files.');
  }
  if (!PRINTABLE_ASCII.test(passphrase)) {
    issues.push('--passphrase must be printable ASCII: programs differ in how they read anything else.');
  }
  return issues.length > 0 ? { issues } : { out, hosts, passphrase, json };
}
