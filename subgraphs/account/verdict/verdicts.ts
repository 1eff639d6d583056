import { type DocumentNode, Kind, parse } from 'graphql';
import { authorize } from '../../graph/authorize.ts';
import { createBatchLoader } from '../../graph/batch-loader.ts';
import type { SchemaExtension } from '../../graph/subgraph.ts';
import type { TimelineRecord } from '../../graph/timeline.ts';
import { readTimeZone } from '../../graph/totals.ts';
import { VERDICT_CAUSES, type VerdictFacts, type VerdictSource } from '../../graph/verdict.ts';
import type { AccountId } from '../../kernel/account.ts';
import type { AccountClocks } from '../../kernel/clock/account-clock.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import { mergeTypes, typeOf } from '../node/extend-document.ts';
import { TIMELINE_KEYS, TYPES_WITH_TIMELINES } from '../timeline/schema.ts';
import { summarize } from './summary.ts';
import type { Language } from './texts.ts';

interface VerdictDeps {
  readonly sources: readonly VerdictSource[];
  readonly accountClock: AccountClocks['accountClock'];
  /** The number of webhooks about a payment that were not delivered. */
  countUndelivered(accountId: AccountId, record: TimelineRecord): Promise<number>;
}

interface VerdictArgs {
  readonly language: Language;
  readonly timeZone: string;
}

type Load = (context: RequestContext, id: string) => Promise<VerdictFacts | TimelineRecord | undefined>;

/** `verdict` of the types that have a timeline, for the subgraph that hosts timelines. */
export function createVerdicts({ sources, accountClock, countUndelivered }: VerdictDeps): SchemaExtension {
  const loads = new Map<string, Load>(
    sources.map(({ type, read }) => [
      type,
      createBatchLoader((context, ids) => read(authorize(context).accountId, ids)),
    ]),
  );
  /** Follows a record to the one that says more: an operation, which names no other. */
  const factsOf = async (
    { type, id }: TimelineRecord,
    context: RequestContext,
  ): Promise<VerdictFacts | undefined> => {
    const found = await loads.get(type)?.(context, id);
    return found && 'type' in found ? factsOf(found, context) : found;
  };
  const resolvers = TYPES_WITH_TIMELINES.map((type) => [
    type,
    {
      verdict: async (
        record: Readonly<Record<string, unknown>>,
        { language, timeZone }: VerdictArgs,
        context: RequestContext,
      ) => {
        const zone = readTimeZone(timeZone);
        const { accountId } = authorize(context);
        const of: TimelineRecord = { type, id: String(record[TIMELINE_KEYS[type]]) };
        const facts = await factsOf(of, context);
        if (!facts) {
          return null;
        }
        const { cause, next, actBy } = facts;
        const now = accountClock(accountId);
        return { of, cause, next, actBy, summary: summarize(facts, { language, timeZone: zone, now }) };
      },
    },
  ]);
  const Verdict = {
    undeliveredWebhooks: ({ of }: { readonly of: TimelineRecord }, _args: unknown, context: RequestContext) =>
      countUndelivered(authorize(context).accountId, of),
  };
  return { extend: withVerdicts, resolvers: { ...Object.fromEntries(resolvers), Verdict } };
}

const CAUSES = Object.entries(VERDICT_CAUSES).map(([cause, description]) => `"""${description}""" ${cause}`);

const TYPES = parse(`
  """A language of texts for people."""
  enum Language {
    """English."""
    EN
    """Spanish."""
    ES
  }

  """Cause of a payment's present state."""
  enum VerdictCause { ${CAUSES.join(' ')} }

  """The present state of a payment, for people: what holds it up or ended it, and what to do. Webhooks never count."""
  type Verdict @requiresScopes(scopes: [["partner"]]) {
    """One to four sentences, such as "Waiting for the payer since Tuesday; expires in 3 days.". It may quote a reason that a payer, provider or partner gave, in the language of that reason."""
    summary: String!
    """Cause of the state. Branch on this, not on the summary."""
    cause: VerdictCause!
    """The partner's next action; null when there is nothing to do."""
    next: TimelineAction
    """When a money request that waits for its payer expires, or when a failed step is tried again; null for all others."""
    actBy: DateTime
    """
    Number of webhooks about the payment that were given up, or wait for a paused endpoint: your server may not know this state. It is never
    the cause of the state. Of more than 250 webhooks, the newest count.
    """
    undeliveredWebhooks: Int!
  }
`);

const FIELD = `
  """Present state of the payment: that of its operation, once there is one. Null if the record was removed meanwhile. Fails with BAD_USER_INPUT if timeZone is unknown."""
  verdict(
    """Language of the summary."""
    language: Language! = EN
    """Time zone of the summary: an IANA name such as "America/Mexico_City"."""
    timeZone: String! = "UTC"
  ): Verdict @requiresScopes(scopes: [["partner"]])
`;

/** Adds the field `verdict` and its types to a document, on each of its types that has a timeline. */
function withVerdicts(document: DocumentNode): DocumentNode {
  const left = new Set<string>(TYPES_WITH_TIMELINES);
  const definitions = document.definitions.map((definition) =>
    definition.kind === Kind.OBJECT_TYPE_DEFINITION && left.delete(definition.name.value)
      ? mergeTypes(definition, typeOf(`type ${definition.name.value} { ${FIELD} }`))
      : definition,
  );
  return { ...document, definitions: [...definitions, ...TYPES.definitions] };
}
