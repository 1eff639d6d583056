import type { ComponentChildren } from 'preact';
import { isStatusName, wordsOfCode } from '../language/codes.ts';
import {
  Bad,
  CodeWords,
  Id,
  type NamedValue,
  None,
  nameOf,
  Status,
  Time,
  wholeName,
} from '../parts/values.tsx';
import { language, words } from '../settings.tsx';
import { pathOf } from './paths.ts';

/** A label with its value. Undefined leaves the label out. */
export type Fact = readonly [label: string, value: ComponentChildren];

/** Leads to the user. @param otherwise the text where the record knows no user */
export function userFact(user: Parameters<typeof nameOf>[0] | null, otherwise?: string): Fact {
  return [words.value.fields.user, user ? <a href={pathOf.user(user.id)}>{nameOf(user)}</a> : otherwise];
}

/** The payer, where the payer is a contact of the user. */
export function payerFact(payer: Parameters<typeof wholeName>[0] | null | undefined): Fact {
  return [words.value.people.payer, (payer && wholeName(payer)) || undefined];
}

interface PayoutMethod {
  readonly type: NamedValue;
  readonly country: string;
  readonly currency: string;
}

/** How the user is paid out. Its number is not read, because it identifies people. */
export function payoutFact(method: PayoutMethod | null | undefined): Fact {
  const { fields, values } = words.value;
  return [
    fields.payoutMethod,
    method ? [values[method.type], method.country, method.currency].join(' · ') : undefined,
  ];
}

interface WithDetails {
  readonly status: NamedValue;
  readonly statusDetails: string;
}

/** The status of a money request. One that nobody paid in time is cancelled in the graph, and expired for people. */
export function shownStatus({ status, statusDetails }: WithDetails): NamedValue {
  return status === 'CANCELLED' && statusDetails === 'Expired' ? 'EXPIRED' : status;
}

/** The status of an operation or money request in words. */
export function StatusOf({ of }: { readonly of: WithDetails }) {
  return <Status value={shownStatus(of)} code={of.status} />;
}

/** Whether the details say more than the status. Those of a completed payment may name a status that it had before. */
export function hasDetails({ status, statusDetails }: WithDetails): boolean {
  const says = wordsOfCode(statusDetails, language.value);
  const isFormer = status === 'COMPLETED' && isStatusName(statusDetails);
  return says !== '' && !isFormer && says !== words.value.values[shownStatus({ status, statusDetails })];
}

/** The details of a status, if they say more than it. */
export function DetailsOf({ of }: { readonly of: WithDetails }) {
  return hasDetails(of) ? <CodeWords of={of.statusDetails} /> : <None />;
}

/** The details of a status, if they say more than it. */
export function detailsFact(of: WithDetails): Fact {
  return [words.value.fields.statusDetails, hasDetails(of) ? <DetailsOf key="details" of={of} /> : undefined];
}

interface OperationOfRecord {
  readonly id: string;
  readonly code: string;
  readonly status: NamedValue;
}

/** Leads to the operation, if the record has one. */
export function operationFact(operation: OperationOfRecord | null): Fact {
  const { fields, values } = words.value;
  return [
    fields.operation,
    operation ? (
      <a href={pathOf.operation(operation.id)}>
        {operation.code} · {values[operation.status]}
      </a>
    ) : undefined,
  ];
}

interface AskedRecord {
  readonly status: NamedValue;
  readonly payerMayHaveBeenAsked: boolean;
  readonly withdrawal: { readonly status: NamedValue; readonly attempts: number } | null;
}

/** Statuses of withdrawals after which it is known whether the payer holds the request. */
const RESOLVED: readonly NamedValue[] = ['CANCELLED', 'NOT_FOUND', 'ALREADY_PAID'];

/**
 * Whether the payer of a record may have been asked, and what became of the withdrawal; nothing for all others. It stays a fact
 * of the record, and stands out only while nobody knows whether the payer holds the request.
 */
export function askedFacts({ status, payerMayHaveBeenAsked, withdrawal }: AskedRecord): Fact[] {
  const { fields, values, common } = words.value;
  const isKnown = status === 'SUCCEEDED' || (withdrawal !== null && RESOLVED.includes(withdrawal.status));
  const yes = isKnown ? common.yes : <Bad key="asked">{common.yes}</Bad>;
  return [
    [fields.payerMayHaveBeenAsked, payerMayHaveBeenAsked ? yes : undefined],
    [
      fields.withdrawal,
      withdrawal ? `${values[withdrawal.status]} · ${fields.attempts}: ${withdrawal.attempts}` : undefined,
    ],
  ];
}

type TimeLabel =
  | 'createdAt'
  | 'updatedAt'
  | 'openedAt'
  | 'erasureRequestedAt'
  | 'erasedAt'
  | 'expiresAt'
  | 'finishedAt'
  | 'nextAttemptAt'
  | 'revokedAt';

/** Times of a record, in the order of the labels. Times that are still to come are shown as unknown. */
export function timeFacts<Label extends TimeLabel>(
  record: Readonly<Record<Label, string | null>>,
  labels: readonly Label[],
): Fact[] {
  return labels.map((label) => [words.value.fields[label], <Time key={label} of={record[label]} />]);
}

/** A time that only some records have: others leave its label out. */
export function timeFactIf(label: TimeLabel, at: string | null): Fact {
  return [words.value.fields[label], at === null ? undefined : <Time of={at} />];
}

/** An id or a link, with a button that copies it. */
export function idFact(label: string, text: string): Fact {
  return [label, <Id key="id" of={text} />];
}

/** The partner's own id of a payment, by the same label for all records. */
export function referenceFact(reference: string): Fact {
  return idFact(words.value.fields.referenceId, reference);
}

/** All ids of a payment, folded. @param ids by the names that the APIs have for them */
export function idsFact(ids: Readonly<Record<string, string>>): Fact {
  return [
    words.value.payment.ids,
    <details key="ids" class="ids">
      <summary>{Object.keys(ids).join(', ')}</summary>
      <ul>
        {Object.entries(ids).map(([name, id]) => (
          <li key={name}>
            {name}: <Id of={id} />
          </li>
        ))}
      </ul>
    </details>,
  ];
}
