import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ACME, FIRST_URL, type OperationalBench, openOperationalBench } from './testing.ts';

const MINUTE_MS = 60_000;
const OPS = 'ops@acme.test';
const NIGHT = 'night@acme.test';

let own: OperationalBench;
beforeAll(async () => {
  own = await openOperationalBench();
});
afterEach(() => own.reset());
afterAll(() => own.bench.close());

const later = (minutes: number) => {
  own.ahead += minutes * MINUTE_MS;
};
/** Two events of different kinds, stored. */
const happen = async (receivers: object) => {
  own.add(ACME, receivers);
  own.stuck.set(ACME, { stuck: 1, stuckSince: new Date() });
  await own.setBreaker(ACME, FIRST_URL, true);
  await own.run();
};
const recipients = () => own.mails.map(({ to }) => to);
const waiting = () => own.models.notices.countDocuments({ mailDueAt: { $exists: true } });

describe('mail about operational events', () => {
  test('is one message for all events of five minutes, to each address once', async () => {
    await happen({ emails: [OPS, NIGHT] });
    expect(own.mails).toEqual([]);
    later(6);
    await own.run();
    later(6);
    await own.run();
    expect(recipients()).toEqual([OPS, NIGHT]);
    expect(own.mails[0]?.text).toContain('Webhook endpoints that fail: 1');
    expect(own.mails[0]?.text).toContain('Remittances that are stuck: 1');
    expect(await waiting()).toBe(0);
  });

  test('is sent once by two processes at once', async () => {
    await happen({ emails: [OPS] });
    later(6);
    await Promise.all([own.run(), own.run(), own.run()]);
    expect(recipients()).toEqual([OPS]);
  });

  test('waits for the end of quiet hours', async () => {
    const now = new Date(Date.now());
    const at = (hours: number) =>
      new Date(now.getTime() + hours * 60 * MINUTE_MS).toISOString().slice(11, 16);
    await happen({ emails: [OPS], quietHours: { from: at(-1), to: at(2) } });
    later(6);
    await own.run();
    later(60);
    await own.run();
    expect(own.mails).toEqual([]);
    later(60);
    await own.run();
    expect(recipients()).toEqual([OPS]);
  });

  test('to an address that is refused keeps nothing from the others, and is not tried again', async () => {
    own.mailOutcome = ({ to }) =>
      to === OPS ? { kind: 'refused', reason: 'EENVELOPE RCPT TO 550' } : { kind: 'sent' };
    await happen({ emails: [OPS, NIGHT] });
    later(6);
    await own.run();
    later(120);
    await own.run();
    expect(recipients()).toEqual([OPS, NIGHT]);
    expect(await waiting()).toBe(0);
  });

  test('to an address that is deferred is tried again, and the others do not get it twice', async () => {
    own.mailOutcome = ({ to }) =>
      to === OPS ? { kind: 'deferred', reason: 'EENVELOPE RCPT TO 452' } : { kind: 'sent' };
    await happen({ emails: [OPS, NIGHT] });
    later(6);
    await own.run();
    own.mailOutcome = () => ({ kind: 'sent' });
    later(5);
    await own.run();
    expect(recipients()).toEqual([OPS, NIGHT, OPS]);
    expect(own.mails[2]?.id).toBe(own.mails[0]?.id);
  });

  test('is kept while the server is down, for three days', async () => {
    own.mailOutcome = () => ({ kind: 'failed', reason: 'ESOCKET CONN' });
    await happen({ emails: [OPS, NIGHT] });
    later(6);
    await own.run();
    // The server, not the address, has failed: others would only wait for it too.
    expect(recipients()).toEqual([OPS]);
    expect(await waiting()).toBe(2);
    later(4 * 24 * 60);
    own.stuck.clear();
    await own.run();
    expect(await waiting()).toBe(0);
  });

  test('is sent after a process has died with its claim', async () => {
    own.mailOutcome = () => {
      throw new Error('killed');
    };
    await happen({ emails: [OPS] });
    later(6);
    await expect(own.run()).rejects.toThrow('killed');
    own.mailOutcome = () => ({ kind: 'sent' });
    await own.run();
    expect(own.mails).toHaveLength(1);
    later(11);
    await own.run();
    expect(recipients()).toEqual([OPS, OPS]);
    expect(own.mails[1]?.id).toBe(own.mails[0]?.id);
  });

  test('to a partner whose notices cannot be handled does not stop the mail to others, and the run fails', async () => {
    await happen({ emails: [OPS] });
    own.add('other/sandbox', { emails: [NIGHT] });
    await own.setBreaker('other/sandbox', FIRST_URL, true);
    await own.run();
    later(6);
    let isFirst = true;
    own.mailOutcome = () => {
      if (isFirst) {
        isFirst = false;
        throw new Error('unknown text');
      }
      return { kind: 'sent' };
    };
    await expect(own.run()).rejects.toThrow('unknown text');
    expect(recipients().toSorted()).toEqual([NIGHT, OPS]);
  });

  test('to further addresses waits for a later run when the server is slow, so that no other process sends it too', async () => {
    await happen({ emails: [OPS, NIGHT, 'third@acme.test'] });
    later(6);
    own.mailOutcome = () => {
      later(3);
      return { kind: 'sent' };
    };
    await own.run();
    expect(recipients()).toEqual([OPS, NIGHT]);
    later(2);
    await own.run();
    expect(recipients()).toEqual([OPS, NIGHT, 'third@acme.test']);
    expect(await waiting()).toBe(0);
  });

  test('is not sent to addresses that were removed meanwhile', async () => {
    await happen({ emails: [OPS] });
    own.add(ACME, { url: 'https://ops.acme.test/' });
    later(6);
    await own.run();
    expect(own.mails).toEqual([]);
    expect(await waiting()).toBe(0);
  });

  test('keeps no address in its records', async () => {
    await happen({ emails: [OPS] });
    later(6);
    await own.run();
    expect(JSON.stringify(await own.models.notices.find().lean())).not.toContain('ops@');
  });
});
