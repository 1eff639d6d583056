import 'reflect-metadata';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type ExecutionResult, type GraphQLSchema, parse, subscribe } from 'graphql';
import { Field, ID, ObjectType, Query, Resolver } from 'type-graphql';
import { fail, succeed } from '../kernel/errors/result.ts';
import type { Principal } from '../kernel/principal.ts';
import type { FollowOptions, LoggedEvent } from '../runtime/events/index.ts';
import { createEventSubscription, toEnumValue, toStatusMove } from './event-subscription.ts';
import { RequiresScopes } from './requires-scopes.ts';
import { DateTimeScalar } from './scalars.ts';
import { buildSubgraph } from './subgraph.ts';

const principal: Principal = {
  accountId: 'acme/sandbox',
  keyId: 'k1',
  scopes: ['partner'],
};
const STATUSES = { OPEN: 'open', DONE: 'done' } as const;

@ObjectType({ description: 'A thing.' })
class Thing {
  @Field(() => ID, { description: 'Its id.' })
  id!: string;
}

@ObjectType({ description: 'A change of a thing.' })
class ThingEvent {
  @Field(() => String, { description: 'Its place.' })
  cursor!: string;

  @Field(() => DateTimeScalar, { description: 'When.' })
  occurredAt!: Date;

  @Field(() => String, { nullable: true, description: 'Before.' })
  previousStatus!: string | null;

  @Field(() => String, { description: 'Since.' })
  status!: string;

  @Field(() => Thing, { nullable: true, description: 'The thing.' })
  thing!: Thing | null;
}

@Resolver()
class AnyQuery {
  @RequiresScopes('partner')
  @Query(() => String, { description: 'A schema needs one.' })
  any(): string {
    return 'any';
  }
}

function event(status: string, entityId = 'x1'): LoggedEvent {
  return {
    id: '1',
    cursor: 'c1',
    accountId: 'acme/sandbox',
    entity: 'link',
    entityId,
    version: 2,
    type: 'thing.changed',
    previousStatus: 'open',
    status,
    data: { color: 'red' },
    occurredAt: new Date('2026-11-22T08:00:00.000Z'),
  };
}

let schema: GraphQLSchema;
let events: LoggedEvent[];
let followed: FollowOptions[];
let loads: string[];
let load: (id: string) => Promise<Thing | null>;

beforeEach(async () => {
  events = [event('done')];
  followed = [];
  loads = [];
  load = async (id) => ({ id });
  const resolver = createEventSubscription<ThingEvent, 'thing'>(
    {
      name: 'thingChanged',
      description: 'Changes of things.',
      type: ThingEvent,
      entity: 'link',
      arguments: {
        thingId: { type: () => ID, description: 'Only this.', narrows: 'entity' },
        color: {
          type: () => String,
          description: 'Only of this color.',
          narrows: ({ data }, color) => data.color === color,
        },
      },
      toPayload: (changed) => toStatusMove(STATUSES, changed),
      loaded: {
        thing: ({ entityId }, { accountId }) => {
          loads.push(`${accountId}|${entityId}`);
          return load(entityId);
        },
      },
    },
    async (options) => {
      followed.push(options);
      return options.after === 'bad' ? fail('INVALID_CURSOR') : succeed(list(events));
    },
  );
  ({ schema } = await buildSubgraph({
    name: 'things',
    resolvers: [new AnyQuery(), resolver],
    references: {},
  }));
});

async function* list(these: readonly LoggedEvent[]): AsyncGenerator<LoggedEvent, void, void> {
  yield* these;
}

async function follow(selection: string, args = '', by: Principal | null = principal) {
  const answer = await subscribe({
    schema,
    document: parse(`subscription { thingChanged${args} { ${selection} } }`),
    contextValue: { principal: by, requestId: 'r1' },
  });
  if (!(Symbol.asyncIterator in answer)) {
    return { failed: answer.errors?.[0]?.extensions.code };
  }
  const answers: ExecutionResult[] = [];
  for await (const one of answer) {
    answers.push(one);
  }
  return { answers };
}

describe('a subscription to events', () => {
  test('answers the fields of the event, and reads only selected fields', async () => {
    expect(await follow('cursor occurredAt previousStatus status')).toEqual({
      answers: [
        {
          data: {
            thingChanged: {
              cursor: 'c1',
              occurredAt: '2026-11-22T08:00:00.000Z',
              previousStatus: 'open',
              status: 'done',
            },
          },
        },
      ],
    });
    expect(loads).toEqual([]);
  });

  test('reads the entity of an event once for all its subscribers', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => follow('thing { id }')));
    for (const { answers } of all) {
      expect(answers).toEqual([{ data: { thingChanged: { thing: { id: 'x1' } } } }]);
    }
    expect(loads).toEqual(['acme/sandbox|x1']);
  });

  test('reads the entity again for another event, and after a read that failed', async () => {
    events.push(event('done', 'x2'));
    load = () => Promise.reject(new Error('away'));
    const failed = await follow('cursor thing { id }');
    expect(failed.answers?.map(({ data, errors }) => [data?.thingChanged, errors?.length])).toEqual([
      [{ cursor: 'c1', thing: null }, 1],
      [{ cursor: 'c1', thing: null }, 1],
    ]);
    load = async (id) => ({ id });
    const { answers } = await follow('thing { id }');
    expect(answers).toHaveLength(2);
    expect(loads).toEqual(['acme/sandbox|x1', 'acme/sandbox|x2', 'acme/sandbox|x1', 'acme/sandbox|x2']);
  });

  test('follows one entity, on the condition of other arguments, from a cursor', async () => {
    await follow('cursor', '(thingId: "x1", color: "blue", after: "c0")');
    await follow('cursor');
    const [narrow, wide] = followed;
    expect(narrow).toMatchObject({ accountId: 'acme/sandbox', entity: 'link', entityId: 'x1', after: 'c0' });
    expect(narrow?.matches?.(event('done'))).toBe(false);
    expect(wide).toMatchObject({ accountId: 'acme/sandbox', entity: 'link' });
    expect([wide?.entityId, wide?.matches, wide?.after]).toEqual([undefined, undefined, undefined]);
  });

  test('fails at its start for a bad cursor, and without the scope', async () => {
    expect(await follow('cursor', '(after: "bad")')).toEqual({ failed: 'INVALID_CURSOR' });
    expect(await follow('cursor', '', null)).toEqual({ failed: 'UNAUTHENTICATED' });
    expect(await follow('cursor', '', { ...principal, scopes: [] })).toEqual({ failed: 'FORBIDDEN' });
    expect(followed).toHaveLength(1);
  });

  test('takes no text for a value that its enum does not have', () => {
    expect(toEnumValue(STATUSES, 'done')).toBe('done');
    expect(() => toEnumValue(STATUSES, 'lost')).toThrow('lost, which is none of open, done');
  });
});
