import type { DataOf } from '../graph.ts';
import { Connection } from '../parts/live-bar.tsx';
import { Facts, Page } from '../parts/page.tsx';
import { Loaded } from '../parts/states.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { Money, Status } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { useChanges } from '../use-entity.tsx';
import { useQuery } from '../use-query.tsx';
import { type Fact, idFact, operationFact, timeFacts, userFact } from './facts.tsx';

type MoneyRequest = NonNullable<DataOf<'moneyRequest'>['requestMoney']>;

export function MoneyRequestScreen({ id }: { readonly id: string }) {
  const query = useQuery('moneyRequest', { referenceId: id });
  const connection = useChanges(
    'moneyRequestChanges',
    ({ requestMoneyStatusChanged }) => requestMoneyStatusChanged.requestMoney?.referenceId === id,
    query.reload,
  );
  return (
    <Loaded title={words.value.fields.moneyRequest} query={query} of={query.data?.requestMoney}>
      {(request) => (
        <Page
          title={`${words.value.fields.moneyRequest} ${request.referenceId}`}
          actions={<Connection state={connection} />}
        >
          <Facts of={factsOf(request)} />
          <Timeline nodeId={request.nodeId} version={request.updatedAt} />
        </Page>
      )}
    </Loaded>
  );
}

function factsOf(request: MoneyRequest): Fact[] {
  const { fields, values } = words.value;
  const { resolved } = request;
  return [
    [fields.status, <Status key="status" value={request.status} />],
    [fields.statusDetails, request.statusDetails],
    [fields.amount, <Money key="amount" of={request.amount} />],
    [
      fields.route,
      `${resolved.sourceCountry} ${resolved.sourceCurrency} → ${resolved.destinationCountry} ${resolved.destinationCurrency}`,
    ],
    [fields.payoutMethod, [values[resolved.payoutType], resolved.payerCode].filter(Boolean).join(' · ')],
    userFact(request.user, request.userReferenceId),
    operationFact(request.operation),
    ...timeFacts(request, ['createdAt', 'updatedAt', 'expiresAt']),
    idFact(fields.fundRequestLink, request.fundRequestLink),
    idFact(fields.requestId, request.requestId),
  ];
}
