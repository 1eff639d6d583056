import { Arg, type ClassType, Ctx, FieldResolver, Resolver, Root, Subscription } from 'type-graphql';
import type { Result } from '../kernel/errors/result.ts';
import type { Principal, RequestContext } from '../kernel/principal.ts';
import type { FollowOptions, LoggedEvent } from '../runtime/events/index.ts';
import { authorize, unwrap } from './authorize.ts';
import { RequiresScopes } from './requires-scopes.ts';

/** Follows the event log of one account; fails for an invalid cursor. */
export type FollowEvents = (options: FollowOptions) => Promise<Result<AsyncIterableIterator<LoggedEvent>>>;

/** An argument that narrows a subscription; without it, every event of the kind comes. */
interface NarrowingArgument {
  /** Its GraphQL type. */
  readonly type: Parameters<typeof Arg>[1] & (() => unknown);
  readonly description: string;
  /** `entity`: the argument is the id of the entity. Otherwise: returns whether an event matches the given value. */
  readonly narrows: 'entity' | ((event: LoggedEvent, value: unknown) => boolean);
}

interface EventBase {
  cursor: string;
  occurredAt: Date;
}

/** A subscription to the changes of one kind of entity. */
interface EventSubscription<Event extends EventBase, Loaded extends keyof Event> {
  /** Name of the field of `Subscription`. */
  readonly name: string;
  readonly description: string;
  /** Object type of an event. */
  readonly type: ClassType<Event>;
  readonly entity: FollowOptions['entity'];
  readonly arguments: Readonly<Record<string, NarrowingArgument>>;
  /** The fields that come from the event alone, beside `cursor` and `occurredAt`. */
  toPayload(event: LoggedEvent): Omit<Event, Loaded | keyof EventBase>;
  /**
   * The fields that are read from the database. A field is read only where a client selects it, and once for all
   * subscribers that get the event at about the same time.
   */
  readonly loaded: { readonly [Field in Loaded]: LoadField<Event[Field]> };
}

type LoadField<Value> = (event: LoggedEvent, principal: Principal) => Promise<Value>;

/** The payload of an event. Its loaded fields find the event by it. */
interface Payload extends EventBase {
  readonly event: LoggedEvent;
}

const AFTER = 'Sends the events after this cursor first, then live events. Only live events when absent.';

/**
 * Makes the resolver of a subscription: the argument `after`, the narrowing arguments, the account's part of the event log,
 * and the fields of its events. A cursor that is not good fails the subscription when it starts.
 */
export function createEventSubscription<Event extends EventBase, Loaded extends keyof Event & string>(
  declared: EventSubscription<Event, Loaded>,
  follow: FollowEvents,
): object {
  const { name, type } = declared;
  class EventSubscriptionResolver {}
  const { prototype } = EventSubscriptionResolver;
  Resolver(() => type)(EventSubscriptionResolver);
  defineMethod(prototype, name, (event: LoggedEvent): Payload => {
    const { cursor, occurredAt } = event;
    return { cursor, occurredAt, ...declared.toPayload(event), event };
  });
  const subscribe = ({ args, context }: { args: Record<string, unknown>; context: RequestContext }) =>
    startFollowing(declared, follow, args, context);
  decorate(
    Subscription(() => type, { description: declared.description, subscribe }),
    prototype,
    name,
  );
  decorate(RequiresScopes('partner'), prototype, name);
  Root()(prototype, name, 0);
  // Adds arguments from the last to the first, as the compiler applies decorators; the schema has them in the reverse order.
  const narrowing = Object.entries(declared.arguments);
  Arg('after', () => String, { nullable: true, description: AFTER })(prototype, name, narrowing.length + 1);
  for (const [index, [argument, { type: argumentType, description }]] of [...narrowing.entries()].reverse()) {
    Arg(argument, argumentType, { nullable: true, description })(prototype, name, index + 1);
  }
  for (const [field, load] of Object.entries<LoadField<unknown>>(declared.loaded)) {
    const loadOnce = onceForEvent(load);
    defineMethod(prototype, field, ({ event }: Payload, context: RequestContext) =>
      loadOnce(event, authorize(context)),
    );
    decorate(FieldResolver(), prototype, field);
    Root()(prototype, field, 0);
    Ctx()(prototype, field, 1);
  }
  return new EventSubscriptionResolver();
}

/** Turns a text of an event into a value of an enum. @throws TypeError for a text that the enum does not have */
export function toEnumValue<Value extends string>(
  values: Readonly<Record<string, Value>>,
  text: string | undefined,
): Value {
  const known = Object.values(values).find((value) => value === text);
  if (known === undefined) {
    throw new TypeError(`An event has ${text}, which is none of ${Object.values(values).join(', ')}`);
  }
  return known;
}

/** The move of an event from one status to another. The creation has no previous status. */
export function toStatusMove<Status extends string>(
  statuses: Readonly<Record<string, Status>>,
  { previousStatus, status }: LoggedEvent,
): { previousStatus: Status | null; status: Status } {
  return {
    previousStatus: previousStatus === null ? null : toEnumValue(statuses, previousStatus),
    status: toEnumValue(statuses, status),
  };
}

/** A failure ends the subscription at its start: an event has no place for one. */
async function startFollowing(
  declared: Pick<EventSubscription<EventBase, never>, 'entity' | 'arguments'>,
  follow: FollowEvents,
  args: Record<string, unknown>,
  context: RequestContext,
): Promise<AsyncIterableIterator<LoggedEvent>> {
  const { accountId } = authorize(context);
  let entityId: string | undefined;
  const conditions: ((event: LoggedEvent) => boolean)[] = [];
  for (const [name, { narrows }] of Object.entries(declared.arguments)) {
    const value = args[name] ?? undefined;
    if (value !== undefined && narrows === 'entity') {
      entityId = String(value);
    } else if (value !== undefined && narrows !== 'entity') {
      conditions.push((event) => narrows(event, value));
    }
  }
  const followed = await follow({
    accountId,
    entity: declared.entity,
    entityId,
    matches:
      conditions.length === 0 ? undefined : (event) => conditions.every((condition) => condition(event)),
    after: args.after == null ? undefined : String(args.after),
    signal: context.signal ?? new AbortController().signal,
  });
  return unwrap(followed);
}

/** How long subscribers of the same event share what was read for one of them. */
const SHARED_MS = 1_000;

/**
 * Shares a read among the subscribers of a tenant: followers of the live log get the same event object. A subscriber that
 * gets it later than {@link SHARED_MS} reads again, and so does the next one after a failure.
 */
function onceForEvent<Value>(load: LoadField<Value>): LoadField<Value> {
  const reads = new WeakMap<LoggedEvent, { readonly at: number; readonly value: Promise<Value> }>();
  return (event, principal) => {
    const now = performance.now();
    const known = reads.get(event);
    if (known && now - known.at < SHARED_MS) {
      return known.value;
    }
    const value = load(event, principal);
    reads.set(event, { at: now, value });
    value.catch(() => reads.delete(event));
    return value;
  };
}

function defineMethod<Args extends readonly never[]>(
  prototype: object,
  name: string,
  method: (...args: Args) => unknown,
): void {
  Object.defineProperty(prototype, name, { value: method });
}

/** Applies a method decorator to a method that was defined by name. */
function decorate(decorator: MethodDecorator | PropertyDecorator, prototype: object, name: string): void {
  Reflect.decorate([decorator], prototype, name, Object.getOwnPropertyDescriptor(prototype, name));
}
