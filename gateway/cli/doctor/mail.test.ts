import { expect, test } from '@jest/globals';
import { startSmtp } from '../../../subgraphs/operational-events/testing-smtp.ts';
import { checkMail } from './mail.ts';

const MAIL_FROM = 'noreply@api.example.com';

test('a mail server is checked by a connection and a sign-in, and only if there is one', async () => {
  expect(await checkMail({ SMTP_URL: undefined, MAIL_FROM: undefined })).toEqual([]);
  const smtp = await startSmtp('secret');
  const check = (password: string) =>
    checkMail({ SMTP_URL: `smtp://remit:${password}@127.0.0.1:${smtp.port}`, MAIL_FROM });
  expect(await check('secret')).toMatchObject([{ check: 'mail', status: 'ok' }]);
  const [wrong] = await check('wrong');
  expect(wrong).toMatchObject({ check: 'mail', status: 'warning', what: expect.stringContaining('EAUTH') });
  expect(JSON.stringify(wrong)).not.toContain('wrong');
  await smtp.close();
  expect(await check('secret')).toMatchObject([
    { status: 'warning', what: expect.stringContaining('ESOCKET') },
  ]);
});
