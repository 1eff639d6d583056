import { expect, test } from '@jest/globals';
import type { MoneyRequest } from '../store/model.ts';
import { bodyOf, newReference, useBench } from '../testing.ts';
import { removeNumbers } from './remove-numbers.ts';

const bench = useBench();

const broken = { $set: { private: Buffer.from('of another key'), result: Buffer.from('of another key') } };

/** A money request with its card's number, as a former version has ended it. @returns its reference */
async function addEnded(like: MoneyRequest): Promise<string> {
  const referenceId = newReference();
  const ended: MoneyRequest = {
    ...like,
    requestId: `req_${referenceId}`,
    referenceId,
    status: 'completed',
    resolved: { ...like.resolved, payoutType: 'card' },
    requestData: { ...like.requestData, card: { number: '4111111111111111', nameOnCard: 'ANA RUIZ' } },
  };
  await bench.deps.transaction((unit) => bench.deps.moneyRequests.insert(ended, unit));
  return referenceId;
}

test('a record that cannot be opened is left and logged, and the others go on', async () => {
  const { moneyRequests: repository, idempotency } = bench.deps;
  const references = [newReference(), newReference(), newReference()];
  for (const reference of references) {
    await bench.create(bodyOf(reference), `k-${reference}`);
  }
  const [first = ''] = references;
  const like = await repository.find('acme', first);
  const ended = like ? [await addEnded(like), await addEnded(like), await addEnded(like)] : [];
  const moneyRequests = bench.database.connection.collection('moneyRequests');
  await moneyRequests.updateOne({ referenceId: ended[0] }, broken);
  const keys = bench.database.connection.collection<{ _id: string; bodyHash: string }>('idempotencyKeys');
  const plain = 'a'.repeat(64);
  await keys.updateMany({}, { $set: { bodyHash: plain, commandHash: plain } });
  await keys.updateOne({ _id: `acme|k-${first}` }, broken);

  const logged: unknown[] = [];
  const log = {
    info: (fields: object, message: string) => logged.push([message, fields]),
    error: (fields: object, message: string) => logged.push([message, fields]),
  };
  await removeNumbers(
    { moneyRequests: repository, idempotency, log: log as never },
    new AbortController().signal,
  );

  for (const reference of ended.slice(1)) {
    const card = (await repository.find('acme', reference))?.requestData.card;
    expect(card?.number).toMatch(/^tok_/);
  }
  expect(await keys.countDocuments({ bodyHash: plain })).toBe(1);
  expect(logged).toEqual([
    ['requestMoney.numbers removed', { moneyRequests: 2, results: 2 }],
    ['requestMoney.numbers left', { records: 2, err: expect.any(Error) }],
  ]);
});
