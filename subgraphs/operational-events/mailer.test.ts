import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMailer, type Mail } from './mailer.ts';
import { startSmtp, type TestSmtp } from './testing-smtp.ts';

const FROM = 'noreply@api.example.com';
const MAIL: Mail = { to: 'ops@acme.test', subject: 'acme (sandbox): ñ', text: 'One\n\nTwo', id: 'abc' };

describe('mail over SMTP', () => {
  let smtp: TestSmtp;
  beforeAll(async () => {
    smtp = await startSmtp();
  });
  beforeEach(() => {
    smtp.answerTo(() => undefined);
    smtp.answerToMessages(undefined);
  });
  afterAll(() => smtp.close());
  const mailer = () => createMailer(`smtp://127.0.0.1:${smtp.port}`, FROM);

  test('arrives with its sender, one recipient, its id and its text', async () => {
    expect(await mailer().send(MAIL)).toEqual({ kind: 'sent' });
    const [mail] = smtp.mails;
    expect(mail).toMatchObject({ from: FROM, to: ['ops@acme.test'] });
    expect(mail?.raw).toContain('Message-ID: <abc@api.example.com>');
    expect(mail?.raw).toContain('Auto-Submitted: auto-generated');
    expect(mail?.raw).toContain('To: ops@acme.test');
    expect(mail?.raw).toContain('One\r\n\r\nTwo');
  });

  test('gets no further header and recipient from line breaks and commas', async () => {
    const before = smtp.mails.length;
    await mailer().send({
      ...MAIL,
      to: 'ops@acme.test,eve@evil.test\r\nBcc: mal@evil.test',
      subject: 'one\r\nBcc: eve@evil.test',
    });
    for (const { to, raw } of smtp.mails.slice(before)) {
      expect(to).toHaveLength(1);
      expect(raw).not.toMatch(/^Bcc:/im);
    }
  });

  test.each([
    { kind: 'refused', status: 550 },
    { kind: 'deferred', status: 452 },
    { kind: 'deferred', status: 554 },
    { kind: 'failed', status: 421 },
  ])(
    'counts as $kind after the answer $status to its recipient, for a reason without the address',
    async ({ kind, status }) => {
      smtp.answerTo(() => status);
      const outcome = await mailer().send(MAIL);
      expect(outcome).toEqual({ kind, reason: expect.stringContaining(String(status)) });
      expect(JSON.stringify(outcome)).not.toContain('acme');
    },
  );

  test.each([
    { kind: 'deferred', status: 554 },
    { kind: 'deferred', status: 451 },
    { kind: 'failed', status: 421 },
  ])('counts as $kind after the answer $status to its content', async ({ kind, status }) => {
    smtp.answerToMessages(status);
    expect(await mailer().send(MAIL)).toEqual({ kind, reason: expect.stringContaining(`DATA ${status}`) });
  });

  test('fails without STARTTLS on another machine, unless the setting allows it', async () => {
    // A name of this machine that is not known as one.
    const elsewhere = `smtp://127.1:${smtp.port}`;
    const before = smtp.mails.length;
    expect((await createMailer(elsewhere, FROM).send(MAIL)).kind).toBe('failed');
    expect(smtp.mails).toHaveLength(before);
    expect((await createMailer(`${elsewhere}?tls=optional`, FROM).send(MAIL)).kind).toBe('sent');
  });
});

test('a server that does not answer is a failure, not a refusal, and the check says why', async () => {
  const smtp = await startSmtp();
  await smtp.close();
  const mailer = createMailer(`smtp://127.0.0.1:${smtp.port}`, FROM);
  expect(await mailer.send(MAIL)).toEqual({ kind: 'failed', reason: expect.stringContaining('ESOCKET') });
  expect(await mailer.check()).toContain('ESOCKET');
});

test.each(['connects and says nothing', 'greets and answers nothing more'])(
  'a server that %s is a failure after the time for an answer',
  async (what) => {
    const greeting = what.startsWith('greets') ? '220 mail.test ready\r\n' : '';
    const hanging = createServer((socket) => {
      socket.on('error', () => undefined).resume();
      socket.write(greeting);
    });
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    // The cast: a server that listens on TCP has such an address.
    const { port } = hanging.address() as AddressInfo;
    const timeouts = { connectMs: 100, answerMs: 100 };
    const outcome = await createMailer(`smtp://127.0.0.1:${port}`, FROM, timeouts).send(MAIL);
    expect(outcome).toEqual({ kind: 'failed', reason: expect.stringContaining('ETIMEDOUT') });
    await new Promise((resolve) => hanging.close(resolve));
  },
);

test('user and password are those of the URL, decoded', async () => {
  const smtp = await startSmtp('p@ss/word');
  const url = (password: string) => `smtp://remit:${encodeURIComponent(password)}@127.0.0.1:${smtp.port}`;
  expect(await createMailer(url('p@ss/word'), FROM).check()).toBeUndefined();
  const wrong = createMailer(url('wrong'), FROM);
  expect(await wrong.check()).toContain('EAUTH');
  expect(await wrong.send(MAIL)).toEqual({ kind: 'failed', reason: expect.stringContaining('EAUTH') });
  await smtp.close();
});
