import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { graphql } from 'graphql';
import { LosslessNumber, stringify } from 'lossless-json';
import { Field, Float, ID, InputType, ObjectType, Query, Resolver } from 'type-graphql';
import { fail, succeed } from '../kernel/errors/result.ts';
import type { Principal, Scope } from '../kernel/principal.ts';
import { DocumentedMutation, type MutationCall, toPayload } from './documented-mutation.ts';
import { JsonObjectScalar } from './json-object.ts';
import { RequiresScopes } from './requires-scopes.ts';
import { buildSubgraph } from './subgraph.ts';
import { UserError } from './user-error.type.ts';

@InputType()
class AddressInput {
  @Field(() => String, { nullable: true })
  street?: string | null;

  @Field(() => Float, { nullable: true })
  latitude?: number | null;
}

@InputType()
class MoveInput {
  @Field(() => ID)
  personId!: string;

  @Field(() => AddressInput, { nullable: true })
  address?: AddressInput | null;

  @Field(() => [AddressInput], { nullable: true })
  former?: AddressInput[] | null;

  @Field(() => JsonObjectScalar, { nullable: true })
  notes?: Readonly<Record<string, unknown>> | null;
}

@ObjectType()
class MovePayload {
  @Field(() => String, { nullable: true })
  moved!: string | null;

  @Field(() => [UserError])
  userErrors!: UserError[];
}

const REST = 'POST /people/{token}/move';
type PersonCall = MutationCall<'personId', 'key'>;

@Resolver()
class People {
  readonly calls: PersonCall[] = [];

  @RequiresScopes('partner')
  @Query(() => String)
  name(): string {
    return 'people';
  }

  @DocumentedMutation({
    scopes: ['partner', 'partner_full'],
    payload: () => MovePayload,
    graphql: { description: 'Moves.', input: { type: () => MoveInput, description: 'Where to.' } },
    rest: { field: 'moveFromJson', description: REST, body: 'bounded' },
    ids: { personId: { argument: 'token', description: 'The person.' } },
    args: { key: { graphql: 'A key.', rest: 'The header.' } },
  })
  async move(call: PersonCall): Promise<MovePayload> {
    this.calls.push(call);
    return toPayload('moved', call.ids.personId === 'nobody' ? fail('USER_NOT_FOUND') : succeed(1), String);
  }

  @DocumentedMutation({
    scopes: ['internal'],
    payload: () => MovePayload,
    rest: { field: 'restFromJson', description: REST, body: 'optional' },
  })
  async rest({ body }: MutationCall): Promise<MovePayload> {
    return toPayload('moved', succeed(body), (value) => stringify(value) ?? 'nothing');
  }
}

const people = new People();
const { schema, sdl } = await buildSubgraph({ name: 'people', resolvers: [people], references: {} });

function principalOf(...scopes: Scope[]): Principal {
  return { accountId: 'acme/sandbox', keyId: 'key', scopes };
}

async function run(
  source: string,
  variableValues: Readonly<Record<string, unknown>> = {},
  principal: Principal | null = principalOf('partner', 'partner_full'),
) {
  const contextValue = { principal, requestId: 'r1' };
  const result = await graphql({ schema, source, variableValues, contextValue });
  return { ...result, call: people.calls.pop() };
}

const BY_INPUT =
  'mutation ($input: MoveInput!, $key: String) { move(input: $input, key: $key) { moved userErrors { code } } }';
const BY_BODY =
  'mutation ($body: String, $key: String) { moveFromJson(token: "p1", body: $body, key: $key) { moved } }';

describe('a documented mutation', () => {
  it('has a public field and a hidden one, with the same scopes and payload', () => {
    const [, mutations = ''] = /type Mutation \{([\s\S]*?)\n\}/.exec(sdl) ?? [];
    const fields = mutations.replace(/"""[\s\S]*?"""/g, '').replace(/\s+/g, ' ');
    const scopes = '@requiresScopes(scopes: [["partner", "partner_full"]])';
    expect(fields).toContain(`move( key: String input: MoveInput! ): MovePayload! ${scopes}`);
    expect(fields).toContain(
      `moveFromJson( key: String unread: String body: String token: ID! ): MovePayload! ${scopes} @inaccessible`,
    );
  });

  it('without a public field has the hidden one alone', () => {
    const { move, rest, restFromJson } = schema.getMutationType()?.getFields() ?? {};
    expect([move?.name, rest?.name, restFromJson?.name]).toEqual(['move', undefined, 'restFromJson']);
  });

  it('gets the same call from an input and from a body', async () => {
    const address = { street: 'Juarez', latitude: 19.5 };
    const input = { personId: 'p1', address, former: [address] };
    const byInput = await run(BY_INPUT, { input, key: 'k1' });
    const { personId: _, ...body } = input;
    const byBody = await run(BY_BODY, { body: JSON.stringify(body), key: 'k1' });
    expect(byInput.errors ?? byBody.errors).toBeUndefined();
    const { surface, ...call } = byInput.call ?? {};
    expect(call).toEqual({ ...byBody.call, surface: undefined });
    expect([surface, byBody.call?.surface]).toEqual(['graphql', 'rest']);
    expect(byInput.call).toMatchObject({ ids: { personId: 'p1' }, args: { key: 'k1' } });
    expect(byInput.call?.unread).toBeUndefined();
  });

  it('keeps the digits of numbers in a body, and makes those of an input lossless', async () => {
    const { call } = await run(BY_BODY, { body: '{"amount":0.1000000000000000055}' });
    expect(stringify(call?.body)).toBe('{"amount":0.1000000000000000055}');
    const byInput = await run(BY_INPUT, { input: { personId: 'p1', address: { latitude: 0.5 } } });
    expect(byInput.call?.body).toEqual({ address: { latitude: new LosslessNumber('0.5') } });
  });

  it('leaves out the nulls of an input, and keeps those of a JSON object within it as they are', async () => {
    const notes = { colour: null, floor: 3, more: { door: null } };
    const input = { personId: 'p1', address: { street: null }, former: null, notes };
    const { call } = await run(BY_INPUT, { input });
    expect(call?.body).toEqual({ address: {}, notes });
    expect(call?.args).toEqual({ key: null });
  });

  it.each([
    ['no JSON', '{', { body: expect.anything(), unread: undefined }],
    ['empty', '', { body: expect.anything(), unread: undefined }],
    ['null', 'null', { body: null, unread: undefined }],
  ])('knows a body that is %s', async (_what, body, expected) => {
    expect((await run(BY_BODY, { body })).call).toMatchObject(expected);
  });

  it.each(['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'])(
    'knows a body that was not read: %s',
    async (unread) => {
      const source =
        'mutation ($unread: String) { moveFromJson(token: "p1", body: null, unread: $unread) { moved } }';
      expect((await run(source, { unread })).call).toMatchObject({ body: undefined, unread });
    },
  );

  it('takes an empty body for an empty object where a body is optional', async () => {
    const source = 'mutation ($body: String!) { restFromJson(body: $body) { moved } }';
    const answers = ['', '{"a":1}', '{'].map((body) => run(source, { body }, principalOf('internal')));
    const moved = (await Promise.all(answers)).map(({ data }) => data?.restFromJson);
    expect(moved).toEqual([{ moved: '{}' }, { moved: '{"a":1}' }, { moved: 'nothing' }]);
  });

  it('answers a failure in userErrors', async () => {
    const { data } = await run(BY_INPUT, { input: { personId: 'nobody' } });
    expect(data).toEqual({ move: { moved: null, userErrors: [{ code: 'USER_NOT_FOUND' }] } });
  });

  it.each([
    ['UNAUTHENTICATED', null],
    ['FORBIDDEN', principalOf('partner')],
    ['FORBIDDEN', principalOf('partner_full')],
  ])('answers %s on both fields to a caller without the scopes', async (code, principal) => {
    const byInput = await run(BY_INPUT, { input: { personId: 'p1' } }, principal);
    const byBody = await run(BY_BODY, { body: '{}' }, principal);
    expect([byInput.errors?.[0]?.extensions.code, byBody.errors?.[0]?.extensions.code]).toEqual([code, code]);
    expect(people.calls).toEqual([]);
  });
});
