import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A message as the server took it. */
interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** With headers. */
  readonly raw: string;
}

/** A mail server on this machine, over TCP. */
export interface TestSmtp {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** The status of the answer to each recipient; default: it takes the mail. */
  answerTo(status: (address: string) => number | undefined): void;
  /** The status of the answer to each message; default: it takes the message. */
  answerToMessages(status: number | undefined): void;
  close(): Promise<void>;
}

/** @param password required of the user `remit`; without it, the server knows no users. It offers no TLS */
export async function startSmtp(password?: string): Promise<TestSmtp> {
  const mails: ReceivedMail[] = [];
  let statusOf: (address: string) => number | undefined = () => undefined;
  let statusOfMessages: number | undefined;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', ...(password === undefined ? ['AUTH'] : [])],
    authOptional: password === undefined,
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) =>
      auth.username === 'remit' && auth.password === password
        ? done(null, { user: 'remit' })
        : done(new Error('Wrong password')),
    onRcptTo: ({ address }, _session, done) => {
      done(rejectionOf(statusOf(address)));
    },
    onData: (stream, { envelope }, done) => {
      text(stream).then(
        (raw) => {
          if (statusOfMessages !== undefined) {
            done(rejectionOf(statusOfMessages));
            return;
          }
          const { mailFrom, rcptTo } = envelope;
          mails.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            raw,
          });
          done();
        },
        (error: Error) => done(error),
      );
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      // The cast: a server that listens on TCP has such an address.
      resolve((server.server.address() as AddressInfo).port);
    });
  });
  return {
    port,
    mails,
    answerTo: (status) => {
      statusOf = status;
    },
    answerToMessages: (status) => {
      statusOfMessages = status;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** An answer with this status, 554 for a policy; null: the server takes it. */
function rejectionOf(responseCode: number | undefined): Error | null {
  const text = responseCode === 554 ? '5.7.1 Relay access denied' : 'Not here';
  return responseCode === undefined ? null : Object.assign(new Error(text), { responseCode });
}
