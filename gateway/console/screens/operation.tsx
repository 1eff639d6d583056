import type { DataOf } from '../graph.ts';
import { Connection } from '../parts/live-bar.tsx';
import { Facts, Page } from '../parts/page.tsx';
import { Loaded } from '../parts/states.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { Id, Money, nameOf, Status, Time } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { useChanges } from '../use-entity.tsx';
import { useQuery } from '../use-query.tsx';
import { pathOf } from './paths.ts';

type Operation = NonNullable<DataOf<'operation'>['operation']>;

export function OperationScreen({ id }: { readonly id: string }) {
  const query = useQuery('operation', { id });
  const connection = useChanges(
    'operationChanges',
    ({ operationStatusChanged }) => operationStatusChanged.operation?.id === id,
    query.reload,
  );
  return (
    <Loaded title={words.value.fields.operation} query={query} of={query.data?.operation}>
      {(operation) => (
        <Page title={words.value.operation.title(operation.code)} actions={<Connection state={connection} />}>
          <Facts of={factsOf(operation)} />
          <Timeline nodeId={operation.nodeId} version={operation.updatedAt} />
        </Page>
      )}
    </Loaded>
  );
}

function factsOf(operation: Operation) {
  const { fields } = words.value;
  const { user, remittance, requestMoney, link } = operation;
  return [
    [fields.status, <Status key="status" value={operation.status} />],
    [fields.statusDetails, operation.statusDetails],
    [fields.failureReason, operation.failureReason ?? undefined],
    [fields.received, <Money key="recipient" of={operation.recipient} />],
    [fields.sent, <Money key="amount" of={operation.amount} />],
    [fields.fee, operation.tenantFee ? <Money key="fee" of={operation.tenantFee} /> : undefined],
    [fields.exchangeRate, operation.exchangeRate ?? undefined],
    [fields.reason, operation.reason ?? undefined],
    [fields.user, user ? <a href={pathOf.user(user.id)}>{nameOf(user)}</a> : undefined],
    [
      fields.moneyRequest,
      requestMoney ? (
        <a href={pathOf.moneyRequest(requestMoney.referenceId)}>{requestMoney.referenceId}</a>
      ) : undefined,
    ],
    [
      fields.remittance,
      remittance ? (
        <a href={pathOf.remittance(remittance.correlationId)}>{remittance.correlationId}</a>
      ) : undefined,
    ],
    [fields.link, link ? <a href={pathOf.link(link.id)}>{link.id}</a> : undefined],
    [fields.createdAt, <Time key="created" of={operation.createdAt} />],
    [fields.updatedAt, <Time key="updated" of={operation.updatedAt} />],
    [fields.operationId, <Id key="id" of={operation.id} />],
    [fields.platId, <Id key="plat" of={operation.platId} />],
  ] as const;
}
