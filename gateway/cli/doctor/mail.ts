import type { Config } from '../../../subgraphs/kernel/config/load.ts';
import { mailerOf } from '../../app/operational-events.ts';
import { type Finding, warning, well } from './finding.ts';

/** Checks that the mail server takes a connection and the sign-in; nothing without a mail server. */
export async function checkMail(config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>): Promise<Finding[]> {
  const mailer = mailerOf(config);
  if (mailer === undefined) {
    return [];
  }
  const reason = await mailer.check();
  return [
    reason === undefined
      ? well('mail', `The mail server takes connections, for mail from ${config.MAIL_FROM}.`)
      : warning(
          'mail',
          `The mail server cannot be used (${reason}), so partners get no operational events by e-mail.`,
          'Correct SMTP_URL, or start the server: host, port, TLS, user and password are in this setting.',
        ),
  ];
}
