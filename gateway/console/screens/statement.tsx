import type { DataOf } from '../graph.ts';
import { Icon } from '../parts/icon.tsx';
import { Facts, Page } from '../parts/page.tsx';
import { Loaded } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Money, None, Time } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { useQuery } from '../use-query.tsx';

type Statement = NonNullable<DataOf<'statement'>['statement']>;
type Amounts = Statement['opening'];
type Account = Amounts[number]['account'];

/** A statement, as it is printed. */
export function StatementScreen({ id }: { readonly id: string }) {
  const query = useQuery('statement', { id });
  const { statements: say } = words.value;
  return (
    <Loaded title={say.title} query={query} of={query.data?.statement}>
      {(statement) => (
        <Page
          title={say.title}
          subject={`${statement.name} ${statement.currency}`}
          actions={
            <button type="button" onClick={() => print()}>
              <Icon name="print" /> {say.print}
            </button>
          }
        >
          <Facts of={factsOf(statement, query.data?.me)} />
          <Table
            caption={say.balances}
            rows={accountsOf(statement)}
            keyOf={(account) => account}
            columns={columnsOf(statement)}
          />
          <p>{say.how}</p>
        </Page>
      )}
    </Loaded>
  );
}

function factsOf(statement: Statement, me: DataOf<'statement'>['me'] | undefined) {
  const { fields, values, statements: say } = words.value;
  const { period, currency, timeZone, from, to, fees, fx, entriesAfter, lastEntry, hash } = statement;
  return [
    [say.partner, me?.name],
    [fields.environment, me && values[me.environment]],
    [fields.period, values[period]],
    [say.from, <Time key="from" of={from} inZone={timeZone} />],
    [say.to, <Time key="to" of={to} inZone={timeZone} />],
    [say.zone, timeZone],
    [say.fees, <Money key="fees" of={{ amount: fees, currency }} />],
    [say.fx, <Money key="fx" of={{ amount: fx, currency }} />],
    [say.entries, lastEntry > entriesAfter ? `${entriesAfter + 1} – ${lastEntry}` : <None key="none" />],
    [say.hash, <code key="hash">{hash}</code>],
    [say.issued, <Time key="issued" of={statement.createdAt} inZone={timeZone} />],
  ] as const;
}

/** The accounts with an amount, each once. */
function accountsOf({ opening, movements, closing }: Statement): Account[] {
  const amounts = [...opening, ...movements.flatMap((movement) => movement.amounts), ...closing];
  return [...new Set(amounts.map(({ account }) => account))].sort();
}

function columnsOf({ currency, opening, movements, closing }: Statement): Column<Account>[] {
  const { statements: say } = words.value;
  const column = (name: string, label: string, amounts: Amounts): Column<Account> => ({
    ...{ name, label, isNumber: true },
    cell: (wanted) => {
      const found = amounts.find(({ account }) => account === wanted);
      return <Money of={found && { amount: found.amount, currency }} />;
    },
  });
  return [
    { name: 'account', label: say.account, cell: (account) => say.accounts[account] },
    column('opening', say.opening, opening),
    ...movements.map(({ kind, entries, amounts }) =>
      column(kind, `${say.kinds[kind]} (${entries})`, amounts),
    ),
    column('closing', say.closing, closing),
  ];
}
