import type { Transporter } from 'nodemailer';
import { fieldOf } from '../kernel/objects.ts';

/** A message for one address. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The local part of its `Message-ID`: the same for the same message, so that a mailbox can drop a repetition. */
  readonly id: string;
}

/**
 * Outcome of a message. `refused`: the server does not take mail for the address, and will not. `deferred`: it takes none for the
 * address at the moment or by its policy, or rejects this message. `failed`: it cannot be reached, or takes no message at all. The reason is for the log,
 * and has no address.
 */
export type MailOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused' | 'deferred' | 'failed'; readonly reason: string };

/** Sends mail over SMTP. */
export interface Mailer {
  send(mail: Mail): Promise<MailOutcome>;
  /** Connects and authenticates, without a message. @returns the reason of a failure; undefined when it works */
  check(): Promise<string | undefined>;
}

/** The longest waits for the connection with its greeting, and for each answer after it. */
interface Timeouts {
  readonly connectMs: number;
  readonly answerMs: number;
}
const TIMEOUTS: Timeouts = { connectMs: 10_000, answerMs: 20_000 };
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/**
 * @param smtpUrl `smtps://user:password@host:465`, or `smtp://host:587`. Over `smtp:` it requires STARTTLS, except on the machine itself
 * and with `?tls=optional`
 * @param from address of the sender
 */
export function createMailer(smtpUrl: string, from: string, timeouts = TIMEOUTS): Mailer {
  let opening: Promise<Transporter> | undefined;
  // It loads with the first message: other processes do without it.
  const open = () => {
    opening ??= import('nodemailer').then(({ createTransport }) =>
      createTransport(optionsOf(new URL(smtpUrl), timeouts)),
    );
    return opening;
  };
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return {
    send: async ({ to, subject, text, id }) => {
      try {
        const transport = await open();
        await transport.sendMail({
          // Objects: a text would be read as a list of addresses with names.
          from: { name: '', address: from },
          to: { name: '', address: to },
          ...{ subject, text, messageId: `<${id}@${domain}>` },
          headers: { 'Auto-Submitted': 'auto-generated' },
          disableFileAccess: true,
          disableUrlAccess: true,
        });
        return { kind: 'sent' };
      } catch (error) {
        return failureOf(error);
      }
    },
    check: async () => {
      try {
        await (await open()).verify();
        return undefined;
      } catch (error) {
        return reasonOf(error);
      }
    },
  };
}

function optionsOf(
  { protocol, hostname, port, username, password, searchParams }: URL,
  { connectMs, answerMs }: Timeouts,
) {
  const secure = protocol === 'smtps:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const isOpen = LOOPBACK.test(host) || searchParams.get('tls') === 'optional';
  return {
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isOpen,
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: answerMs,
  };
}

/** 421: the server closes the connection, whatever command it answers. */
const CLOSING = 421;
/** An answer for a reason of security or policy (RFC 3463, X.7), such as that the server does not relay, so not for the address. */
const POLICY = /^\d{3}[ -]\d\.7\./;

/** An answer to the recipient is about the address, and one to the data is about the message: every other failure is about the server. */
function failureOf(error: unknown): MailOutcome {
  const [command, status] = [fieldOf(error, 'command'), fieldOf(error, 'responseCode')];
  const reason = reasonOf(error);
  const isAboutOne = command === 'RCPT TO' || command === 'DATA';
  if (!isAboutOne || typeof status !== 'number' || status === CLOSING) {
    return { kind: 'failed', reason };
  }
  const isPolicy = POLICY.test(String(fieldOf(error, 'response')));
  return { kind: command === 'RCPT TO' && status >= 500 && !isPolicy ? 'refused' : 'deferred', reason };
}

/** The code and the status, without the server's text, which may name the address. */
function reasonOf(error: unknown): string {
  const [code, command, status] = ['code', 'command', 'responseCode'].map((name) => fieldOf(error, name));
  const parts = [code, command, status].filter(
    (part) => typeof part === 'string' || typeof part === 'number',
  );
  return parts.length === 0 ? 'unknown' : parts.join(' ');
}
