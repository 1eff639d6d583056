import { useState } from 'preact/hooks';
import type { DataOf } from '../graph.ts';
import { ConfirmedAction } from '../parts/confirmed-action.tsx';
import { Secret } from '../parts/dialog.tsx';
import { Facts, Page, Section } from '../parts/page.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { Status, Time } from '../parts/values.tsx';
import { session } from '../session.tsx';
import { words } from '../settings.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';

type Approval = DataOf<'approvals'>['approvals'][number];

/** Changes that wait for the approval of an administrator, and those that were decided. */
export function Approvals() {
  const { approvals: say } = words.value;
  const query = useQuery('approvals', {});
  useFresh(query);
  const [made, setMade] = useState<string>();
  const { approvals, me } = query.data ?? {};
  return (
    <Page title={say.title}>
      {me && <p>{me.fourEyes.length > 0 ? say.how : say.off}</p>}
      {query.error && <Failed error={query.error} onRetry={query.reload} />}
      {!approvals && !query.error && <Loading place="record" />}
      {approvals?.length === 0 && <Empty>{say.none}</Empty>}
      {approvals?.map((approval) => (
        <ApprovalOf key={approval.id} approval={approval} onDecided={query.reload} onMade={setMade} />
      ))}
      {made !== undefined && (
        <Secret title={say.title} text={made} onClose={() => setMade(undefined)}>
          {say.madeSecret}
        </Secret>
      )}
    </Page>
  );
}

interface ApprovalProps {
  readonly approval: Approval;
  readonly onDecided: () => void;
  /** Called with the key or secret that an approved change has made. */
  readonly onMade: (secret: string) => void;
}

function ApprovalOf(props: ApprovalProps) {
  const { operation, status } = props.approval;
  return (
    <Section title={nameOf(operation)}>
      <Facts of={factsOf(props.approval)} />
      {status === 'PENDING' && <Decide {...props} />}
    </Section>
  );
}

/** The name of the mutation, where the console has none for it. */
function nameOf(operation: string): string {
  const names: Readonly<Record<string, string>> = words.value.approvals.operations;
  return names[operation] ?? operation;
}

function factsOf({ status, input, requestedBy, createdAt, expiresAt, decidedBy, decidedAt }: Approval) {
  const { approvals: say, fields } = words.value;
  return [
    [fields.status, <Status key="status" value={status} />],
    [
      say.change,
      input.length > 0
        ? input.map(({ name, value }) => (
            <div key={name}>
              {name}: <code>{value}</code>
            </div>
          ))
        : undefined,
    ],
    [say.requestedBy, requestedBy],
    [fields.createdAt, <Time key="created" of={createdAt} />],
    [fields.endsAt, status === 'PENDING' ? <Time key="ends" of={expiresAt} /> : undefined],
    [
      say.decidedBy,
      decidedBy === null ? undefined : (
        <span key="decided">
          {decidedBy} <Time of={decidedAt} />
        </span>
      ),
    ],
  ] as const;
}

function Decide({ approval: { id, requestedBy, requestedIn }, onDecided, onMade }: ApprovalProps) {
  const { approvals: say } = words.value;
  const state = session.value;
  const isOwn = state.name === 'signed-in' && state.session.id === requestedIn;
  return (
    <div class="actions">
      {!isOwn && (
        <ConfirmedAction
          document="approve"
          variables={{ input: { id } }}
          verb={say.approve}
          onDone={({ key, webhookSecret }) => {
            const secret = key ?? webhookSecret;
            if (secret !== null) {
              onMade(secret);
            }
            onDecided();
          }}
        >
          <p>{say.approveHow(requestedBy)}</p>
          <p>{say.secretHow}</p>
        </ConfirmedAction>
      )}
      <ConfirmedAction
        document="rejectApproval"
        variables={{ input: { id } }}
        verb={isOwn ? say.withdraw : say.reject}
        onDone={onDecided}
      >
        <p>{say.rejectHow}</p>
      </ConfirmedAction>
    </div>
  );
}
