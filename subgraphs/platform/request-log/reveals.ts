import { newId } from '../database/ids.ts';
import type { Logger } from '../log/log.ts';
import type { RequestContext } from '../principal.ts';
import type { RequestDocument } from './model.ts';
import type { RequestRecorder } from './recorder.ts';

/** Keeps on record which contact data of users people have read in the console. */
export interface Reveals {
  /**
   * Notes that the caller gets phone number, email or date of birth of a user: resolvers call it for each such field. It records
   * a console session once for each user and request, in the log of requests and in the server's log. Other callers are
   * programs of the partner, and leave nothing.
   */
  note(context: RequestContext, userId: string): void;
}

interface RevealsDeps {
  readonly recorder: Pick<RequestRecorder, 'record'>;
  readonly log: Pick<Logger, 'info'>;
  readonly clock: () => Date;
}

export function createReveals({ recorder, log, clock }: RevealsDeps): Reveals {
  const noted = new WeakMap<RequestContext, Set<string>>();
  return {
    note: (context, userId) => {
      const { principal, requestId } = context;
      const users = noted.get(context) ?? new Set();
      if (!principal?.consoleSession || users.has(userId)) {
        return;
      }
      noted.set(context, users.add(userId));
      const { tenantId, keyId, consoleSession } = principal;
      const { sessionId } = consoleSession;
      log.info({ tenantId, keyId, sessionId, userId, requestId }, 'user.contact data read');
      const entry: RequestDocument = {
        _id: newId('req_'),
        tenantId,
        createdAt: clock(),
        requestId,
        surface: 'GRAPHQL',
        isMutation: false,
        isReveal: true,
        outcome: 'SUCCESS',
        ms: 0,
        keyId,
        keys: [requestId, userId],
      };
      recorder.record(entry);
    },
  };
}
