import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createBlindIndex } from '../../../subgraphs/kernel/crypto/blind-index.ts';
import type { ErrorCode } from '../../../subgraphs/kernel/errors/catalogue.ts';
import { projectRoot } from '../../../subgraphs/kernel/project-root.ts';
import {
  createSandboxCards,
  createSandboxFunding,
  createSandboxIdentity,
  createSandboxUbn,
} from '../../../subgraphs/providers/sandbox.ts';
import type { ProviderAnswer } from '../../../subgraphs/providers/types.ts';
import { createScreening } from '../../../subgraphs/request-money/use-cases/screening.ts';

const read = (path: string) => readFileSync(join(projectRoot(), path), 'utf8');
const page = read('gateway/docs/sandbox.md');
const call = { idempotencyKey: 'k', accountId: 't/sandbox' as const } as const;

const screening = createScreening({
  urls: { live: undefined, sandbox: undefined },
  blindIndex: createBlindIndex(Buffer.alloc(32)),
});

/** Rows of the table below a heading: their cells. */
function rowsOf(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(1).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The outcome in a cell, in the form of a provider's answer. */
const saidBy = (cell: string) =>
  /`([A-Z_]+)`$/.exec(cell)?.[1] ?? (/not answer|is retried/.test(cell) ? 'unavailable' : 'accepted');
const answered = (answer: ProviderAnswer<ErrorCode>) =>
  answer.kind === 'rejected' ? answer.code : answer.kind;
const valueIn = (cell: string) => /`(\w+)`/.exec(cell)?.[1] ?? '';

test('the requester’s names have the documented outcomes', async () => {
  const rows = rowsOf("The requester's last name");
  expect(rows.length).toBeGreaterThan(5);
  for (const [name = '', ask = '', atomic = ''] of rows) {
    const lastName = valueIn(name);
    const checked = await createSandboxIdentity().check({ firstName: 'Ana', lastName, country: 'MX' }, call);
    expect([lastName, answered(checked)]).toEqual([lastName, saidBy(atomic)]);
    const screened = await screening.screen(
      { name: { firstName: 'Ana', lastName }, country: 'MX' },
      { ...call, referenceId: 'AB12cd34' },
    );
    expect([lastName, screened.ok ? 'accepted' : screened.failures[0]?.code]).toEqual([
      lastName,
      saidBy(ask),
    ]);
  }
});

test('cards, accounts and payers have the documented outcomes', async () => {
  const common = { country: 'MX', currency: 'MXN' };
  for (const [cell = '', outcome = ''] of rowsOf('The payout method')) {
    const number = valueIn(cell);
    const answer = cell.startsWith('Card')
      ? await createSandboxCards().verify(
          { ...common, number, nameOnCard: 'A', expirationDate: '1230' },
          call,
        )
      : await createSandboxUbn().verify({ ...common, number }, call);
    expect([number, answered(answer)]).toEqual([number, saidBy(outcome)]);
  }
  for (const [cell = '', outcome = ''] of rowsOf("The payer's last name")) {
    const lastName = valueIn(cell);
    const payer = { phoneNumber: '+12025550123', lastName };
    const amounts = { amount: '1', currency: 'USD', recipientAmount: '18', recipientCurrency: 'MXN' };
    const answer = await createSandboxFunding().request(
      { tenantId: 't', operationId: 'o', payer, ...amounts },
      call,
    );
    const isLost = answer.kind === 'unavailable' && answer.notSent === undefined;
    expect([lastName, isLost]).toEqual([lastName, outcome.startsWith('the answer is lost')]);
    if (!isLost) {
      expect([lastName, answered(answer)]).toEqual([lastName, saidBy(outcome)]);
    }
  }
});

test('the page lists every value of the sandbox', () => {
  const code =
    read('subgraphs/providers/sandbox.ts') + read('subgraphs/request-money/use-cases/screening.ts');
  const known = [...code.matchAll(/^ {2}\['(\w+)', '/gm)].map(([, value = '']) => value);
  expect(known.length).toBeGreaterThan(14);
  expect(known.filter((value) => !page.includes(`\`${value}\``))).toEqual([]);
});
