import { Decimal } from 'decimal.js';
import { isLosslessNumber } from 'lossless-json';
import { tenantOf } from '../kernel/account.ts';
import type { ProviderCall } from './types.ts';

/** A number of JSON of a length that an amount may have. */
const DECIMAL = /^-?\d{1,40}(\.\d{1,40})?(e[+-]?\d{1,3})?$/i;

/** The parts of a call that its answer may repeat. */
interface Repeatable extends Pick<ProviderCall, 'accountId' | 'idempotencyKey' | 'operationId'> {
  readonly body: object;
  readonly about?: object;
}

/**
 * Whether an answer says by a value that it belongs to another call: where it carries `operationId`, `tenantId`,
 * `idempotencyKey`, `amount` or `currency`, they must be those of the call (decisions, section 8, "Answers of providers").
 * An amount may be written in another way, such as `5.00` or `5e+0` for `5`. Fields that the call does not have are not compared; null is no value.
 * @param answer JSON whose numbers are LosslessNumbers
 */
export function contradicts(
  answer: unknown,
  { accountId, idempotencyKey, operationId, body, about = body }: Repeatable,
): boolean {
  if (typeof answer !== 'object' || answer === null) {
    return false;
  }
  const carried = new Map<string, unknown>(Object.entries(answer));
  const sent = new Map<string, unknown>(Object.entries(about));
  const own = {
    operationId: operationId ?? sent.get('operationId'),
    tenantId: tenantOf(accountId),
    idempotencyKey,
  };
  const isOther = (name: string, expected: unknown, isSame = isSameText) => {
    const value = carried.get(name) ?? undefined;
    return value !== undefined && expected !== undefined && !isSame(textOf(value), textOf(expected));
  };
  return (
    Object.entries(own).some(([name, expected]) => isOther(name, expected)) ||
    isOther('currency', sent.get('currency')) ||
    isOther('amount', sent.get('amount'), isSameAmount)
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || isLosslessNumber(value) ? value.toString() : undefined;
}

function isSameText(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other;
}

function isSameAmount(one = '', other = ''): boolean {
  return DECIMAL.test(one) && DECIMAL.test(other) && new Decimal(one).eq(other);
}
