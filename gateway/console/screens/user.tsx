import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { personalDataOf } from '../erasure.ts';
import type { DataOf } from '../graph.ts';
import { ConfirmedAction } from '../parts/confirmed-action.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { Needs } from '../parts/needs.tsx';
import { Facts, Page } from '../parts/page.tsx';
import { Simulate } from '../parts/simulate.tsx';
import { Failed, Loaded, Loading } from '../parts/states.tsx';
import { Status, Time } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { identityEvents } from '../simulations.ts';
import { useAction } from '../use-action.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';
import { type Fact, idFact, timeFactIf, timeFacts } from './facts.tsx';
import { FailedCalls } from './failed-calls.tsx';
import { Links } from './user-links.tsx';
import { Payments } from './user-payments.tsx';
import { People } from './user-people.tsx';

type User = NonNullable<DataOf<'user'>['user']>;

export function UserScreen({ id }: { readonly id: string }) {
  const { found: nodeId } = useLocation().query;
  const query = useQuery('user', { id, found: nodeId ?? '', isFound: nodeId !== undefined });
  const shown = query.data?.user;
  // No event says when an erasure is done.
  useFresh(query, shown !== undefined && shown !== null && personalDataOf(shown) === 'erasing');
  return (
    <Loaded title={words.value.user.title} query={query} of={shown}>
      {(user) => (
        <Page
          title={titleOf(user)}
          tab={words.value.user.title}
          actions={personalDataOf(user) === 'kept' && <Actions user={user} onDone={query.reload} />}
        >
          <Block of={user} />
          <Facts of={factsOf(user)} />
          <PersonalData user={user} />
          <Payments id={user.id} />
          {user.referenceId && <FailedCalls reference={user.referenceId} />}
          <Links rows={user.links.nodes} />
          <People user={user} found={query.data?.found ?? null} />
        </Page>
      )}
    </Loaded>
  );
}

/** The acts on a user whose personal data are kept; all of them would fail for another one. */
function Actions({ user, onDone }: { readonly user: User; readonly onDone: () => void }) {
  const { user: say } = words.value;
  return (
    <>
      <Needs access="operate" act={user.blocked ? say.unblock : say.block}>
        <BlockUser user={user} onDone={onDone} />
      </Needs>
      <Needs access="admin" act={say.erase}>
        <EraseUser id={user.id} onDone={onDone} />
      </Needs>
      <Simulate
        document="simulateCip"
        choices={identityEvents(user.cipStatus, words.value.simulate).map(([label, status]) => ({
          label,
          variables: { input: { userId: user.id, status } },
        }))}
        onDone={onDone}
      />
    </>
  );
}

/** That a user is blocked, why and by whom: it stops each payment. */
function Block({ of: user }: { readonly of: User }) {
  const { user: say, fields, people } = words.value;
  return user.blocked ? (
    <div class="verdict bad" role="status">
      <p>
        <Icon name="bad" /> {say.blockedSince} <Time of={user.blockedAt} />
      </p>
      <Facts
        of={[
          [fields.reason, user.blockedReason ?? undefined],
          [people.blockedBy, user.blockedBy ? blockerName(user.blockedBy) : undefined],
        ]}
      />
    </div>
  ) : null;
}

function titleOf(user: User): string {
  const { title, erasedTitle } = words.value.user;
  return personalDataOf(user) === 'kept' ? wholeName(user) || title : erasedTitle;
}

function wholeName({ firstName, secondName, lastName, secondLastName }: User): string {
  return [firstName, secondName, lastName, secondLastName].filter(Boolean).join(' ');
}

function factsOf(user: User): Fact[] {
  const { fields, common } = words.value;
  return [
    [fields.identity, <Status key="identity" value={user.cipStatus} />],
    [fields.blocked, user.blocked ? undefined : common.no],
    timeFactIf('erasureRequestedAt', user.erasureRequestedAt),
    timeFactIf('erasedAt', user.erasedAt),
    [fields.erasureReason, user.erasureReason ?? undefined],
    [fields.country, user.country ?? undefined],
    ...timeFacts(user, ['createdAt']),
    user.referenceId ? idFact(fields.referenceId, user.referenceId) : [fields.referenceId, undefined],
    idFact(fields.userId, user.id),
  ];
}

/** The label of a key or a session. Without one, its kind and its id. */
function blockerName({ kind, id, name }: NonNullable<User['blockedBy']>): string {
  return name ?? [words.value.people.blockers[kind], id].filter(Boolean).join(' ');
}

/** Contact data, or that they are erased. */
function PersonalData({ user }: { readonly user: User }) {
  const state = personalDataOf(user);
  return state === 'kept' ? <ContactData id={user.id} /> : <p role="status">{words.value.user[state]}</p>;
}

/** Contact data stays hidden until a person requests it, because other people may see the screen. */
function ContactData({ id }: { readonly id: string }) {
  const [isShown, setShown] = useState(false);
  const { user } = words.value;
  return isShown ? (
    <ShownContactData id={id} />
  ) : (
    <p>
      {user.masked} {user.revealNote}{' '}
      <Needs access="support" act={user.reveal}>
        <button type="button" onClick={() => setShown(true)}>
          {user.reveal}
        </button>
      </Needs>
    </p>
  );
}

function ShownContactData({ id }: { readonly id: string }) {
  const { data, error, reload } = useQuery('userContact', { id });
  const { fields, common } = words.value;
  if (!data?.user) {
    return error ? <Failed error={error} onRetry={reload} /> : <Loading />;
  }
  const { phoneNumber, email, dob } = data.user;
  return (
    <Facts
      of={[
        [fields.phoneNumber, phoneNumber ?? common.none],
        [fields.email, email ?? common.none],
        [fields.dob, dob ?? common.none],
      ]}
    />
  );
}

function BlockUser({ user, onDone }: { readonly user: User; readonly onDone: () => void }) {
  const { user: say } = words.value;
  const [isAsking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  const block = useAction('blockUser');
  const unblock = useAction('unblockUser');
  const open = () => {
    block.forget();
    unblock.forget();
    setAsking(true);
  };
  const run = async () => {
    const userId = user.id;
    const isDone = user.blocked
      ? await unblock.run({ input: { userId } })
      : await block.run({ input: { userId, ...(reason !== '' && { reason }) } });
    if (isDone) {
      setAsking(false);
      onDone();
    }
  };
  const error = block.error ?? unblock.error;
  const verb = user.blocked ? say.unblock : say.block;
  return (
    <>
      <button type="button" onClick={open}>
        {verb}
      </button>
      {isAsking && (
        <Confirm
          title={verb}
          verb={verb}
          isRunning={block.isRunning || unblock.isRunning}
          onConfirm={run}
          onClose={() => setAsking(false)}
        >
          {!user.blocked && (
            <>
              <p>{say.blockWhat}</p>
              <p>
                <label for="block-reason">{say.blockReason}</label>
                <input
                  id="block-reason"
                  maxLength={500}
                  value={reason}
                  onInput={({ currentTarget }) => setReason(currentTarget.value)}
                />
              </p>
            </>
          )}
          {error && <Failed error={error} />}
        </Confirm>
      )}
    </>
  );
}

/** Most characters of a reason, as the graph allows. */
const LONGEST_REASON = 500;

/** Erases the personal data of a user. The graph refuses it while the user has an open payment or a link that works. */
function EraseUser({ id, onDone }: { readonly id: string; readonly onDone: () => void }) {
  const { user: say } = words.value;
  const [reason, setReason] = useState('');
  return (
    <ConfirmedAction
      document="eraseUser"
      variables={{ input: { id, reason } }}
      opener={say.erase}
      title={say.eraseTitle}
      verb={say.eraseVerb}
      onDone={onDone}
    >
      <p>{say.eraseWhat}</p>
      <p>{say.eraseNeeds}</p>
      <p>
        <label for="erase-reason">{say.eraseReason}</label>
        <input
          id="erase-reason"
          required
          maxLength={LONGEST_REASON}
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </p>
    </ConfirmedAction>
  );
}
