import { newId } from '../../kernel/database/ids.ts';
import type { Logger } from '../../kernel/log/log.ts';
import type { Principal, RequestContext } from '../../kernel/principal.ts';
import { callerOf, type RequestDocument } from './model.ts';

/** Keeps on record which contact data people have read in the console. */
export interface Reveals {
  /**
   * Answers the value of a field with contact data once it is on record that the caller reads it. Resolvers pass each such field
   * through it. A console session is recorded once for each subject and request, in the log of requests and in the server's log.
   * Other callers are programs of the partner: they get the value at once, and leave nothing.
   * @param subjectId the record that the value belongs to, such as a userId
   * @throws when the record cannot be stored: then nobody reads the value
   */
  reveal<T>(context: RequestContext, subjectId: string, value: T): T | Promise<T>;
}

/** The prefix of every userId. */
const USER_PREFIX = 'usr_';

interface RevealsDeps {
  /** Stores documents, all of them or with an error. */
  insert(documents: readonly RequestDocument[]): Promise<unknown>;
  readonly log: Pick<Logger, 'info'>;
  readonly clock: () => Date;
}

/**
 * Records are stored at once, beside the queue of other requests, which is bounded: nothing that a caller does pushes them out.
 * Entries of the same turn of the event loop, such as the users of a list, are stored by one command.
 */
export function createReveals({ insert, log, clock }: RevealsDeps): Reveals {
  const known = new WeakMap<RequestContext, Map<string, Promise<void>>>();
  let batch: { readonly entries: RequestDocument[]; readonly stored: Promise<void> } | undefined;
  const store = (entry: RequestDocument): Promise<void> => {
    if (batch) {
      batch.entries.push(entry);
      return batch.stored;
    }
    const entries = [entry];
    const stored = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
      batch = undefined;
      await insert(entries);
    });
    batch = { entries, stored };
    return stored;
  };
  const record = async (requestId: string, entry: RequestDocument, sessionId: string, subjectId: string) => {
    await store(entry);
    const { accountId, keyId } = entry;
    const subject = subjectId.startsWith(USER_PREFIX) ? { userId: subjectId } : { subjectId };
    log.info({ accountId, keyId, sessionId, ...subject, requestId }, 'user.contact_data_read');
  };
  return {
    reveal: (context, subjectId, value) => {
      const { principal, requestId } = context;
      if (!principal?.consoleSession) {
        return value;
      }
      const subjects = known.get(context) ?? new Map<string, Promise<void>>();
      known.set(context, subjects);
      const entry = () => entryOf(principal, requestId, subjectId, clock());
      const recorded =
        subjects.get(subjectId) ?? record(requestId, entry(), principal.consoleSession.sessionId, subjectId);
      subjects.set(subjectId, recorded);
      return recorded.then(() => value);
    },
  };
}

function entryOf(
  principal: Principal,
  requestId: string,
  subjectId: string,
  createdAt: Date,
): RequestDocument {
  return {
    ...callerOf(principal),
    _id: newId('req_'),
    createdAt,
    requestId,
    surface: 'GRAPHQL',
    isMutation: false,
    isReveal: true,
    outcome: 'SUCCESS',
    ms: 0,
    keys: [requestId, subjectId],
  };
}
