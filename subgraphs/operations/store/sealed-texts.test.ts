import { expect, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { createBox } from '../../kernel/crypto/box.ts';
import { newCorrelationId, principal, useBench } from '../testing.ts';
import { revealOperation } from './sealed-texts.ts';

const bench = useBench('file');

const REASON = 'Rent of Calzada del Hueso 7741';
const FAILURE = 'Xochitl Quetzal has no account';

async function readEverywhere(userId: string, operationId: string) {
  const { service } = bench;
  const page = await service.page(principal, {});
  const history = await service.history(principal, { userId });
  return [
    (await service.findByIds(principal, [operationId])).get(operationId),
    ...(await service.list(principal, { filter: { userId } }, {})).nodes,
    ...(page.ok ? page.value.items.filter((one) => one.operationId === operationId) : []),
    ...(history.ok ? history.value : []),
  ];
}

test("people's texts on an operation are stored sealed, and read everywhere", async () => {
  const userId = await bench.newUser();
  const operationId = newCorrelationId();
  const made = await bench.request(userId, { correlationId: operationId, reason: REASON });
  const failed = await bench.update(operationId, { status: 'Rejected', failureReason: FAILURE });
  expect([made, failed]).toMatchObject([
    { value: { reason: REASON } },
    { value: { reason: REASON, failureReason: FAILURE } },
  ]);
  const stored = await bench.models.operations.findOne({ operationId }).lean();
  const bytes = Buffer.from(mongo.BSON.serialize(stored ?? {}));
  expect([REASON, FAILURE].map((text) => bytes.includes(text))).toEqual([false, false]);
  const read = await readEverywhere(userId, operationId);
  expect(read).toEqual(Array(4).fill(expect.objectContaining({ reason: REASON, failureReason: FAILURE })));
});

test('a sealed text is of its operation alone', async () => {
  const [first, second] = [newCorrelationId(), newCorrelationId()];
  const userId = await bench.newUser();
  await bench.request(userId, { correlationId: first, reason: REASON });
  await bench.request(userId, { correlationId: second, reason: 'Other' });
  const [one, other] = await Promise.all(
    [first, second].map((operationId) => bench.models.operations.findOne({ operationId }).lean()),
  );
  expect(one && revealOperation(bench.deps.box, one).reason).toBe(REASON);
  const text = other?.reason;
  expect(() => one && text && revealOperation(bench.deps.box, { ...one, reason: text })).toThrow();
  expect(() => one && revealOperation(createBox(Buffer.alloc(32, 1)), one)).toThrow();
});
