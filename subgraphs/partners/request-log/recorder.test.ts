import { describe, expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.ts';
import type { AccountId } from '../../kernel/account.ts';
import type { RequestDocument } from './model.ts';
import { createRequestRecorder } from './recorder.ts';

let numbers = 0;
const request = (accountId: AccountId = 'acme/sandbox'): RequestDocument => {
  numbers += 1;
  return {
    _id: `req_${numbers}`,
    accountId,
    createdAt: new Date(0),
    requestId: `r${numbers}`,
    surface: 'GRAPHQL',
    isMutation: true,
    outcome: 'SUCCESS',
    ms: 1,
    keyId: 'key_1',
    keys: [`r${numbers}`],
  };
};

/** A recorder that writes at once, and a database that takes requests until the test changes it. */
function openRecorder() {
  const batches: number[] = [];
  const warnings: object[] = [];
  let answer: () => Promise<unknown> = async () => undefined;
  const recorder = createRequestRecorder({
    insert: (documents) => {
      batches.push(documents.length);
      return answer();
    },
    log: { warn: (line: object) => void warnings.push(line) } as never,
    everyMs: 5,
    closeMs: 20,
  });
  return {
    recorder,
    batches,
    warnings,
    answerBy: (next: typeof answer) => {
      answer = next;
    },
    untilBatches: (count: number) => until(`${count} batches`, () => batches.length === count),
  };
}

describe('The recorder of requests', () => {
  test('writes entries that come close together with one command', async () => {
    const { recorder, batches, untilBatches } = openRecorder();
    recorder.record(request());
    recorder.record(request());
    expect(batches).toEqual([]);
    await untilBatches(1);
    recorder.record(request());
    await untilBatches(2);
    expect(batches).toEqual([2, 1]);
    expect(recorder.counts()).toEqual({ written: 3, dropped: 0 });
  });

  test('writes at most 500 with one command, one command after the other', async () => {
    const { recorder, batches, answerBy, untilBatches } = openRecorder();
    const ends: (() => void)[] = [];
    answerBy(() => new Promise<void>((resolve) => ends.push(resolve)));
    for (let count = 0; count < 1_200; count += 1) {
      recorder.record(request(`t${count % 20}/sandbox`));
    }
    await untilBatches(1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(batches).toEqual([500]);
    ends[0]?.();
    await untilBatches(2);
    ends[1]?.();
    await untilBatches(3);
    expect(batches).toEqual([500, 500, 200]);
  });

  test('drops entries beyond its memory, and counts them', async () => {
    const { recorder, answerBy, untilBatches } = openRecorder();
    answerBy(() => new Promise(() => undefined));
    recorder.record(request());
    await untilBatches(1);
    for (let count = 0; count < 5_010; count += 1) {
      recorder.record(request(`t${count % 20}/sandbox`));
    }
    expect(recorder.counts()).toEqual({ written: 0, dropped: 10 });
  });

  test('keeps room for others when one partner has too much, and takes more of it once that is written', async () => {
    const { recorder, batches, untilBatches } = openRecorder();
    for (let count = 0; count < 700; count += 1) {
      recorder.record(request('noisy/sandbox'));
    }
    recorder.record(request('quiet/sandbox'));
    expect(recorder.counts()).toEqual({ written: 0, dropped: 200 });
    await untilBatches(2);
    recorder.record(request('noisy/sandbox'));
    await untilBatches(3);
    expect([batches, recorder.counts().dropped]).toEqual([[500, 1, 1], 200]);
  });

  test('goes on when the database does not take a batch, and says so', async () => {
    const { recorder, warnings, answerBy } = openRecorder();
    answerBy(() => Promise.reject(new Error('away')));
    recorder.record(request());
    await until('it is dropped', () => recorder.counts().dropped === 1);
    answerBy(async () => undefined);
    recorder.record(request());
    await until('the next one is written', () => recorder.counts().written === 1);
    expect(warnings).toEqual([{ err: new Error('away'), requests: 1 }]);
  });

  test('writes waiting entries when it is closed, and takes no more', async () => {
    const { recorder, batches } = openRecorder();
    recorder.record(request());
    await recorder.close();
    recorder.record(request());
    expect(batches).toEqual([1]);
    expect(recorder.counts()).toEqual({ written: 1, dropped: 1 });
  });

  test('ends its close in time where the database hangs, and counts lost entries', async () => {
    const { recorder, answerBy } = openRecorder();
    answerBy(() => new Promise(() => undefined));
    for (let count = 0; count < 600; count += 1) {
      recorder.record(request(`t${count % 20}/sandbox`));
    }
    await recorder.close();
    expect(recorder.counts()).toEqual({ written: 0, dropped: 100 });
  });
});
