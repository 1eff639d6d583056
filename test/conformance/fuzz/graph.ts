import { type GraphQLResolveInfo, isNonNullType, isObjectType, Kind, parse } from 'graphql';
import {
  createTestGraph,
  type TestGraph,
  type TestResolver,
  type TestResolvers,
  type TestSubscription,
  testContext,
} from '../../../gateway/engine/testing/index.ts';
import { artist, artistWithCode, digest, generate, settle } from './values.ts';

const museum = `
  type Query {
    works(where: Where, first: Int = 2): [Work!] work(n: Int!): Work painting(n: Int): Painting!
    things(n: Int, kinds: [Kind!] = [PAINTING]): [Thing] rooms: [[Room!]]! artists: [Artist]! version: String! @shareable
    node(id: ID!): Node
  }
  type Mutation { hang(n: Int): Painting sell(where: Where): Work! tally: Int! }
  type Subscription { moved(n: Int): Work hung: Painting! }
  interface Node { id: ID! }
  interface Work implements Node @key(fields: "id") { id: ID! title(lang: Lang = EN): String year: Int! maker: Artist size: Size }
  type Painting implements Work & Node @key(fields: "id") {
    id: ID! title(lang: Lang = EN): String year: Int! maker: Artist size: Size
    price(currency: Currency = USD): Int weight: Int label: String studies: [Painting!] shared: String @shareable
  }
  type Sculpture implements Work & Node @key(fields: "id") {
    id: ID! title(lang: Lang = EN): String year: Int! maker: Artist size: Size
    material: Material! parts: [[Sculpture]!] about: Thing
  }
  union Thing = Painting | Artist | Room
  type Artist implements Node @key(fields: "id") { id: ID! born: Int works(where: Where): [Work]! best: Work! }
  type Room implements Node @key(fields: "id") { id: ID! name: String works: [Work!]! size: Size! }
  type Size @shareable { w: Int h: Int! }
  enum Lang { EN FR } enum Currency { USD EUR } enum Material { STONE WOOD } enum Kind { PAINTING SCULPTURE }
  scalar JSON
  input Where { kind: Kind ids: [ID!] = ["w1"] size: SizeInput deep: Where any: JSON }
  input SizeInput { w: Int! h: Int = 4 }`;

const loans = `
  type Query { loans(first: Int): [Loan!]! loan(n: Int!): Loan version: String! @shareable }
  type Mutation { lend(n: Int!): Loan! }
  type Painting @key(fields: "id") {
    id: ID! price(currency: Currency): Int @external weight: Int @external size: Size @external
    label: String @override(from: "museum") shared: String @shareable loan: Loan
    insurance(unit: Unit = DAY): Int @requires(fields: "price(currency: EUR) size { w h }")
    crate: Crate @requires(fields: "weight size { h }")
  }
  type Crate { size: Size! note: String }
  union Thing = Painting | Crate
  type Loan { id: ID! subject: Thing painting: Painting! to: Artist days: [Int!] meta(v: JSON): JSON signers: [Party!] }
  type Artist @key(fields: "id") { id: ID! motto: String @shareable }
  union Party = Artist | Room
  type Room @key(fields: "id") { id: ID! keeper: Artist }
  type Size @shareable { w: Int h: Int! }
  enum Unit { DAY YEAR } enum Currency { USD EUR }
  scalar JSON`;

const reviews = `
  type Query { reviews(first: Int): [Review] rated: [Work!] }
  type Subscription { reviewed(n: Int!): Review! }
  type Work @interfaceObject @key(fields: "id") { id: ID! rating(scale: Int = 5): Int reviews: [Review!] twin: Work }
  type Review @key(fields: "id") { id: ID! stars: Int! work: Work! by: Artist @provides(fields: "motto") onRoom: Room }
  type Artist @key(fields: "id") { id: ID! motto: String @external reviews(first: Int): [Review]! }
  type Room @key(fields: "id") { id: ID! rank: Int! }`;

const people = `
  type Query { person(code: String): Person staff: [Person]! }
  type Mutation { hire(n: Int): Person }
  interface Person { code: String name(form: Form): String! boss: Person }
  type Artist implements Person @key(fields: "id") @key(fields: "code country { iso }") {
    id: ID! code: String country: Country! name(form: Form): String! boss: Person motto: String @shareable friends: [Artist!]
  }
  type Guide implements Person { code: String name(form: Form): String! boss: Person rooms: [Room!] }
  type Country @shareable { iso: ID! }
  type Room @key(fields: "id") { id: ID! }
  enum Form { SHORT LONG }`;

const passports = `
  type Query { visas: [Visa] }
  type Visa { holder: Artist! until: Int }
  type Artist @key(fields: "code country { iso }") { code: String country: Country! visa(n: Int): Visa }
  type Country @shareable { iso: ID! }`;

const SUBGRAPHS = { museum, loans, reviews, people, passports };

/** What differs from run to run, the same on both sides of a comparison. */
export interface RunState {
  /** Mutations made so far: what they answer depends on it. */
  ticks: number;
  /** Whether resolvers answer with promises. */
  isAsync: boolean;
}

/** Fields on which others depend: they give a value, or null where they may, and nothing goes wrong. */
const SURE = new Set(['id', 'code', 'country', 'iso', 'price', 'weight', 'size', 'w', 'h', 'version']);

/** Names at every level, for `JSON.stringify` to sort by. */
function namesIn(value: unknown): string[] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)])
    : [];
}

function seedOf(source: Record<string, unknown> | undefined, field: string, args: object): string {
  const sorted = JSON.stringify(args, [...new Set(namesIn(args))].sort());
  return `${String(source?.seed ?? source?.id ?? '')}.${field}(${sorted})`;
}

/** What an object has is its value; anything else is made from the object's seed, the field and its arguments. */
function createResolver(way: Pick<RunState, 'isAsync'>): TestResolver {
  return (source, args, _context, info) => {
    const { fieldName, returnType, parentType } = info;
    if (source !== undefined && Object.hasOwn(source, fieldName)) {
      return source[fieldName];
    }
    const seed = seedOf(source, fieldName, args);
    const field = `${parentType.name}.${fieldName}`;
    if (!SURE.has(fieldName)) {
      return settle({ type: returnType, seed, field, isSure: false, isAsync: way.isAsync });
    }
    const isNull = !isNonNullType(returnType) && digest(seed) % 5 === 0;
    return isNull ? null : generate({ type: returnType, seed, field, isSure: true, isAsync: false });
  };
}

const resolveSure = createResolver({ isAsync: false });

interface KnownSize {
  readonly w?: unknown;
  readonly h?: unknown;
}

const narrow = (size: unknown, names: readonly (keyof KnownSize)[]) =>
  size === null || size === undefined
    ? null
    : Object.fromEntries(names.map((name) => [name, (size as KnownSize)[name] ?? null]));

/** What `@requires` fields make of what they require. */
const required = {
  insurance: (price: unknown, size: unknown, unit: unknown) =>
    digest(`insurance ${JSON.stringify([price, narrow(size, ['w', 'h']), unit])}`) % 100,
  crate: (weight: unknown, size: unknown) => ({
    seed: `crate ${JSON.stringify([weight, narrow(size, ['h'])])}`,
  }),
};

/** In the subgraph the required values are in the reference. */
const inLoans: Record<string, TestResolver> = {
  insurance: ({ price = null, size }, { unit }) => required.insurance(price, size, unit),
  crate: ({ weight = null, size }) => required.crate(weight, size),
};

/** In one schema they are found where the fields themselves find them. */
function requiredValue(
  source: Record<string, unknown>,
  path: string,
  args: Record<string, unknown>,
  info: GraphQLResolveInfo,
): unknown {
  const [typeName = '', fieldName = ''] = path.split('.');
  const type = info.schema.getType(typeName);
  const returnType = isObjectType(type) ? type.getFields()[fieldName]?.type : undefined;
  if (!isObjectType(type) || returnType === undefined) {
    throw new Error(`There is no ${path}.`);
  }
  return resolveSure(source, args, testContext(), { ...info, fieldName, returnType, parentType: type });
}

function sizeOf(painting: Record<string, unknown>, info: GraphQLResolveInfo): KnownSize | null {
  const size = requiredValue(painting, 'Painting.size', {}, info) as Record<string, unknown> | null;
  return size === null
    ? null
    : { w: requiredValue(size, 'Size.w', {}, info), h: requiredValue(size, 'Size.h', {}, info) };
}

const inMonolith: Record<string, TestResolver> = {
  insurance: (painting, { unit }, _context, info) => {
    const price = requiredValue(painting, 'Painting.price', { currency: 'EUR' }, info);
    return required.insurance(price, sizeOf(painting, info), unit);
  },
  crate: (painting, _args, _context, info) =>
    required.crate(requiredValue(painting, 'Painting.weight', {}, info), sizeOf(painting, info)),
};

function createResolvers(run: RunState): TestResolvers {
  const resolveAny = createResolver(run);
  const resolvers: Record<string, Record<string, TestResolver | TestSubscription>> = {};
  const tick: TestResolver = (_source, args, context, info) => {
    run.ticks += 1;
    return resolveAny({ seed: `tick ${run.ticks}` }, args, context, info);
  };
  const events: TestSubscription = {
    async *subscribe() {
      yield { seed: 'event 1' };
      yield { seed: 'event 2' };
    },
    resolve: resolveAny,
  };
  const byType: Record<string, TestResolver | TestSubscription> = { Mutation: tick, Subscription: events };
  for (const node of Object.values(SUBGRAPHS).flatMap((sdl) => parse(sdl).definitions)) {
    if (node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.INTERFACE_TYPE_DEFINITION) {
      const fields = (node.fields ?? []).map((field) => field.name.value);
      const known = resolvers[node.name.value] ?? {};
      resolvers[node.name.value] = known;
      for (const field of fields) {
        known[field] = byType[node.name.value] ?? resolveAny;
      }
    }
  }
  return { ...resolvers, Painting: { ...resolvers.Painting, ...inMonolith } };
}

/** The graph, in five subgraphs and as one schema; what goes wrong in it is decided by its values alone. */
export function createFuzzGraph(run: RunState): TestGraph {
  const known = (reference: Record<string, unknown>) => ({ ...reference });
  return createTestGraph({
    subgraphs: {
      museum: { typeDefs: museum, resolvers: { Painting: { label: () => 'overridden: never called' } } },
      loans: { typeDefs: loans, resolvers: { Painting: inLoans } },
      reviews,
      people,
      passports,
    },
    resolvers: createResolvers(run),
    references: {
      Painting: known,
      Sculpture: known,
      Work: ({ id }) => ({ __typename: String(id).startsWith('p') ? 'Painting' : 'Sculpture', id }),
      Room: known,
      Review: known,
      Artist: ({ id, code }) => artist(String(id ?? artistWithCode(String(code)))),
    },
  });
}
