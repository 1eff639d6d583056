import { isLosslessNumber } from 'lossless-json';
import type { UnreadBody } from '../../graph/documented-mutation.ts';
import { type Failure, fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { invalid, issue as issueOf, shortPath } from '../../kernel/json/read-body.ts';
import { AMOUNT_MESSAGES, type AmountResult, readAmount } from '../../kernel/money/amount.ts';
import { PAYOUT_METHODS } from '../../kernel/money/payout-methods.ts';
import { isRecord } from '../../kernel/objects.ts';
import { isWellFormed, toShortText } from '../../kernel/text.ts';
import { bodySchema, type CreateCommand, payoutSchemas, type RequestData } from './create-request-money.ts';

const LONGEST_IDEMPOTENCY_KEY = 255;
/** The name of the idempotency key on each surface. */
const KEY_PATHS = { rest: 'Idempotency-Key', graphql: 'idempotencyKey' } as const;
/** Events of a failed create cut the reference to this length. */
const LONGEST_REFERENCE = 64;

/** A create before it is read. */
interface CreateCall {
  /** The JSON value of the body, numbers as LosslessNumber; a symbol when it was not read, see `parseJson`. */
  readonly body: unknown;
  /** Why the surface has not read the body: its content is unknown. */
  readonly unread?: UnreadBody | undefined;
  readonly idempotencyKey?: string | null | undefined;
  readonly surface: 'rest' | 'graphql';
}

/** A create after it was read, valid or not: partners also get events of failed creates. */
export interface ReadCreate {
  /** Failures: PAYLOAD_TOO_LARGE; UNSUPPORTED_MEDIA_TYPE; VALIDATION_FAILED, once for each issue of body and idempotency key. */
  readonly command: Result<CreateCommand>;
  /** The body's reference, cut to 64 characters; undefined without one. */
  readonly referenceId: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** The body as sent: retries are compared with it. */
  readonly body: unknown;
  readonly surface: 'rest' | 'graphql';
}

/** Reads a create. */
export function readCreate({ body, unread, idempotencyKey, surface }: CreateCall): ReadCreate {
  const key = idempotencyKey ?? undefined;
  return {
    command: unread === undefined ? readCommand(body, key, KEY_PATHS[surface]) : fail(unread),
    referenceId: referenceOf(body),
    idempotencyKey: key,
    body,
    surface,
  };
}

function readCommand(body: unknown, key: string | undefined, keyPath: string): Result<CreateCommand> {
  const { command, issues } = readCreateBody(body);
  const keyIssues =
    key === undefined || isIdempotencyKey(key)
      ? []
      : [issue([keyPath], `must be one value of 1 to ${LONGEST_IDEMPOTENCY_KEY} characters`)];
  return command && keyIssues.length === 0 ? succeed(command) : invalid([...issues, ...keyIssues]);
}

/** A header has no NUL and no halves of characters, but the argument of the graph may have them. */
function isIdempotencyKey(key: string): boolean {
  return key.length > 0 && key.length <= LONGEST_IDEMPOTENCY_KEY && isWellFormed(key) && !key.includes('\0');
}

/** The body's reference; undefined without one. */
function referenceOf(body: unknown): string | undefined {
  const value =
    typeof body === 'object' && body !== null && 'referenceId' in body ? body.referenceId : undefined;
  return typeof value === 'string' ? toShortText(value, LONGEST_REFERENCE) : undefined;
}

/** The result of reading a body: its issues, or the command. */
interface ReadBody {
  readonly command?: CreateCommand;
  readonly issues: readonly Failure[];
}

/** Checks the body of a create against every rule of document 2, and finds all issues, not only the first. */
export function readCreateBody(body: unknown): ReadBody {
  const parsed = bodySchema.safeParse(body);
  const amount = amountOf(body);
  const payout = payoutOf(body);
  const issues = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => issue(path, message)),
    ...(payout?.error?.issues ?? []).map(({ path, message }) => issue(['requestData', ...path], message)),
    ...(amount && !amount.ok ? [issue(['amount'], AMOUNT_MESSAGES[amount.issue])] : []),
    ...findRecipientReference(body, []),
  ];
  if (issues.length > 0 || !parsed.success || !amount?.ok || !payout?.success) {
    return { issues };
  }
  const requestData: RequestData = { ...parsed.data.requestData, ...payout.data };
  return { issues: [], command: { ...parsed.data, amount: amount.amount, requestData } };
}

/** The payout object, checked by the rules of its method even when other parts are wrong; undefined for an unknown method. */
function payoutOf(body: unknown) {
  const requestData = isRecord(body) ? body.requestData : undefined;
  const method = PAYOUT_METHODS.find((one) => isRecord(requestData) && requestData.payoutMethod === one);
  return method && payoutSchemas[method].safeParse(requestData);
}

/**
 * The amount, checked by its own rules even when other parts are wrong; undefined when it is no number, which the schema
 * reports.
 */
function amountOf(body: unknown): AmountResult | undefined {
  const { amount, currency } = isRecord(body) ? body : {};
  return isLosslessNumber(amount)
    ? readAmount(amount.toString(), typeof currency === 'string' ? currency : '')
    : undefined;
}

/** `recipientReferenceId` must not be sent on create, wherever it is (document 2, "Create body"). */
function findRecipientReference(value: unknown, path: readonly string[]): Failure[] {
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) {
    return [];
  }
  return Object.entries(value).flatMap(([key, child]) => {
    const here = [...path, key];
    return key === 'recipientReferenceId'
      ? [issue(shortPath(here), 'must not be sent')]
      : findRecipientReference(child, here);
  });
}

function issue(path: readonly PropertyKey[], message: string): Failure {
  return issueOf(path, message, 'VALIDATION_FAILED');
}
