import {
  type ConsoleTimelinePageFragment,
  type OperationStatus,
  RemittancePhase,
} from '../documents/types.ts';
import type { DataOf } from '../graph.ts';
import { Connection } from '../parts/live-bar.tsx';
import { Facts } from '../parts/page.tsx';
import { Payment } from '../parts/payment.tsx';
import { Loaded } from '../parts/states.tsx';
import { Bad, Money, Status } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { operationSteps, phaseSteps, statusesOf } from '../steps.ts';
import { useChanges } from '../use-entity.tsx';
import { useQuery } from '../use-query.tsx';
import {
  askedFacts,
  type Fact,
  idsFact,
  operationFact,
  payerFact,
  payoutFact,
  referenceFact,
  timeFactIf,
  timeFacts,
  userFact,
} from './facts.tsx';

const PHASES = Object.values(RemittancePhase);

type Remittance = NonNullable<DataOf<'remittance'>['remittance']>;

export function RemittanceScreen({ id }: { readonly id: string }) {
  const query = useQuery('remittance', { correlationId: id });
  const connection = useChanges(
    'remittanceChanges',
    ({ remittanceChanged }) => remittanceChanged.remittance?.correlationId === id,
    query.reload,
  );
  // Once it has succeeded, the payment goes on in the operation, whose id is the correlation id.
  useChanges(
    'operationChanges',
    ({ operationStatusChanged }) => operationStatusChanged.operation?.id === id,
    query.reload,
  );
  return (
    <Loaded place="payment" title={words.value.fields.remittance} query={query} of={query.data?.remittance}>
      {(remittance) => (
        <Payment
          nodeId={remittance.nodeId}
          version={`${remittance.updatedAt} ${remittance.attempts} ${remittance.operation?.status}`}
          title={`${words.value.fields.remittance} ${id}`}
          amount={remittance.recipient}
          actions={<Connection state={connection} />}
          stepsOf={(entries) => stepsOfCall(remittance, entries)}
          facts={<Facts of={factsOf(remittance)} />}
        />
      )}
    </Loaded>
  );
}

type Entries = ConsoleTimelinePageFragment['nodes'];

/** A phase begins with its entry; the first one, with the call. After success, the steps of the operation follow. */
function stepsOfCall(remittance: Remittance, entries: Entries) {
  const { correlationId, phase, status, createdAt, updatedAt, operation } = remittance;
  const began = entries.flatMap((entry) => {
    const isOne = entry.__typename === 'TimelinePhase' && entry.correlationId === correlationId;
    const name = isOne ? PHASES.find((one) => one === entry.phase) : undefined;
    return name === undefined ? [] : [{ name, at: entry.at }];
  });
  const [success = { name: 'SUCCEEDED', at: updatedAt }] = statusesOf(entries, correlationId, 'REMITTANCE', [
    'SUCCEEDED',
  ] as const);
  const payment = operation ? operationSteps(operation, entries) : [{ ...success, state: 'done' as const }];
  const state = { phase, isOpen: status === 'IN_PROGRESS', ...(status === 'SUCCEEDED' && { payment }) };
  return phaseSteps<RemittancePhase, OperationStatus | 'SUCCEEDED'>(PHASES, state, [
    { name: 'CIP', at: createdAt },
    ...began,
  ]);
}

/** Stands out only when nothing tries the call again by itself. */
function stuckText(nextAttemptAt: string | null) {
  const { common, overview } = words.value;
  return nextAttemptAt === null ? <Bad>{common.yes}</Bad> : overview.retried;
}

function factsOf(remittance: Remittance): Fact[] {
  const { correlationId, status, phase, attempts, isStuck, nextAttemptAt, user, operation } = remittance;
  const { fields, values } = words.value;
  return [
    referenceFact(correlationId),
    [fields.status, <Status key="status" value={status} />],
    [fields.phase, values[phase]],
    [fields.received, <Money key="recipient" of={remittance.recipient} />],
    [fields.sent, <Money key="amount" of={remittance.amount} />],
    [fields.fee, <Money key="fee" of={remittance.tenantFee} />],
    [fields.exchangeRate, remittance.exchangeRate],
    [fields.attempts, attempts],
    [fields.isStuck, isStuck ? stuckText(nextAttemptAt) : undefined],
    ...askedFacts(remittance),
    timeFactIf('nextAttemptAt', nextAttemptAt),
    userFact(user),
    payerFact(operation?.contact),
    payoutFact(operation?.destinationPaymentMethod),
    operationFact(operation),
    ...timeFacts(remittance, ['createdAt', 'updatedAt']),
    idsFact({ correlationId }),
  ];
}
