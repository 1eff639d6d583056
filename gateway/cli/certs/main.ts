import { commandLine, printUsage } from '../../../subgraphs/kernel/command-line.ts';
import { describeFatal } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { type CertsOptions, readArguments, USAGE } from './arguments.ts';
import { type WrittenCertificates, writeCertificates } from './write-certificates.ts';

/** `npm run certs`: certificates for trying the mutual-TLS listener, and how to use them. */
async function main(): Promise<void> {
  const options = readArguments(process.argv.slice(2));
  if ('issues' in options) {
    process.exitCode = printUsage(options, USAGE);
    return;
  }
  const written = await writeCertificates(options);
  const { passphrase } = options;
  process.stdout.write(
    options.json ? `${JSON.stringify({ ...written, passphrase }, null, 2)}\n` : describe(written, options),
  );
}

function describe({ paths, clientSha256 }: WrittenCertificates, { passphrase }: CertsOptions): string {
  return `Written, to try things out with; keep the keys to yourself:

${Object.values(paths)
  .map((path) => `  ${path}`)
  .join('\n')}

Passphrase of client.p12:
  ${passphrase}

SHA-256 of the client's certificate, for a tenant's mtlsClientCertSha256:
  ${clientSha256}

Start:
  MTLS_PORT=4443 MTLS_CERT_FILE=${quote(paths.server)} MTLS_KEY_FILE=${quote(paths.serverKey)} MTLS_CA_FILE=${quote(paths.authority)} ${commandLine('start')}

Call:
  curl --cacert ${quote(paths.authority)} --cert-type P12 --cert ${quote(`${paths.clientPkcs12}:${passphrase}`)} -H "api_key: $KEY" https://localhost:4443/v1/user/operations/detail/some-id
`;
}

/** For a POSIX shell. */
function quote(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

main().catch((error: unknown) => {
  process.stderr.write(`${describeFatal(error)}\n`);
  process.exit(1);
});
