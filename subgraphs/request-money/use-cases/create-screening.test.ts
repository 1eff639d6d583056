import { expect, jest, test } from '@jest/globals';
import { fail, succeed } from '../../kernel/errors/result.ts';
import { bodyFor, bodyOf, newReference, useBench } from '../testing.ts';

const bench = useBench();

test('a failed screening saves no money request, and the same key may try again', async () => {
  const referenceId = newReference();
  bench.deps.screening.screen = async () => fail('IDENTITY_VALIDATOR_TIMEOUT');
  expect(await bench.create(bodyOf(referenceId), 'k')).toMatchObject({
    failures: [{ code: 'IDENTITY_VALIDATOR_TIMEOUT' }],
  });
  expect(bench.dataOf('operation_error')).toMatchObject({
    httpStatus: 503,
    code: 'IDENTITY_VALIDATOR_TIMEOUT',
  });
  bench.deps.screening.screen = async () => succeed('clear');
  expect(await bench.create(bodyOf(referenceId), 'k')).toMatchObject({ ok: true });
});

test('two at once for the same new user are screened once each, although one of them is overtaken', async () => {
  const userReferenceId = `u-${newReference()}`;
  const create = () => bench.create(bodyFor(userReferenceId));
  const transaction = jest.spyOn(bench.deps, 'transaction');
  const screen = jest.spyOn(bench.deps.screening, 'screen');
  // Neither saves the user before the other has looked for it.
  const bothLooked = new Promise<void>((resolve) => {
    screen.mockImplementation(async () => {
      if (screen.mock.calls.length === 2) {
        resolve();
      }
      await bothLooked;
      return succeed('clear');
    });
  });
  const created = await Promise.all([create(), create()]);
  expect(created).toMatchObject([{ ok: true }, { ok: true }]);
  expect(transaction).toHaveBeenCalledTimes(3);
  expect(screen).toHaveBeenCalledTimes(2);
});
