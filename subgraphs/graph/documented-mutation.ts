import { LosslessNumber } from 'lossless-json';
import { Arg, type ClassType, Ctx, Directive, ID, Mutation } from 'type-graphql';
import type { Result } from '../kernel/errors/result.ts';
import { parseJson } from '../kernel/json/parse-json.ts';
import { keysOf, recordOf } from '../kernel/objects.ts';
import type { Principal, RequestContext, Scope } from '../kernel/principal.ts';
import { authorize } from './authorize.ts';
import { type Fallible, inGraphql } from './in-graphql.ts';
import { RequiresAllScopes } from './requires-scopes.ts';
import { type MutationPayload, toUserErrors } from './user-error.type.ts';

/** A call of a mutation. It is the same whether it came by GraphQL or by a documented REST call. */
export interface MutationCall<Id extends string = never, Argument extends string = never> {
  /** The caller, with every scope that the mutation requires. */
  readonly principal: Principal;
  /** The ids that a REST call has in its path and a GraphQL call in its input. */
  readonly ids: Readonly<Record<Id, string>>;
  /**
   * The rest of the call, as the JSON value of a REST body: numbers are LosslessNumbers, absent members are missing.
   * A symbol when the text was not read, see {@link parseJson}; undefined for mutations without a body. Only a reader of
   * `commands/` looks into it.
   */
  readonly body: unknown;
  /** Why the REST body did not come as text; `body` is undefined then. Undefined when it did. */
  readonly unread: UnreadBody | undefined;
  /** Arguments beside the body, such as an idempotency key; null when absent. */
  readonly args: Readonly<Record<Argument, string | null>>;
  readonly surface: 'graphql' | 'rest';
}

/** Why a surface has not read a body. */
export type UnreadBody = 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE';

/**
 * The body of a REST call. `optional`: an empty body counts as `{}`. `bounded`: the surface sends null for a body that it has
 * not read, and why.
 */
type RestBody = 'required' | 'optional' | 'bounded' | 'none';

interface Described {
  readonly description: string;
}

/** An id of a REST path: the argument by which the hidden field takes it. */
interface IdOptions extends Described {
  readonly argument: string;
}

/** The descriptions of a nullable text argument, for each field. */
type TextArgument = Readonly<Record<MutationCall['surface'], string>>;

/** How a mutation appears in the graph. */
interface DocumentedMutationOptions<
  Payload extends Fallible,
  Input extends object,
  Id extends string,
  Argument extends string,
> {
  /** A caller needs all of these scopes. Both fields declare them by `@requiresScopes`, and both check them. */
  readonly scopes: readonly [Scope, ...Scope[]];
  readonly payload: () => ClassType<Payload>;
  /** The public field: its name is the method's. Absent if only the platform's own back end may call it. */
  readonly graphql?: Described & {
    readonly input: Described & {
      type(): ClassType<Input>;
      /** The REST body that means the same, of the input without its `ids`; default {@link inputToBody}. */
      toBody?(input: Omit<Input, Id>): unknown;
    };
  };
  /** The hidden field that the REST surface calls. */
  readonly rest: Described & { readonly field: string; readonly body?: RestBody };
  /** Ids of the path, by their names in the GraphQL input. */
  readonly ids?: Readonly<Record<Id, IdOptions>>;
  /** Nullable text arguments that both fields have. */
  readonly args?: Readonly<Record<Argument, TextArgument>>;
}

type Method<Payload extends Fallible, Id extends string, Argument extends string> = (
  call: MutationCall<Id, Argument>,
) => Promise<Payload>;

/**
 * Declares a mutation that a REST contract documents too, from one method: the public field `method(input: …)`, and an
 * `@inaccessible` field for the REST surface, which takes the body as JSON text. Text, because JSON variables would round
 * the numbers, and because the service reports issues of a body only after other checks. It is parsed here, once,
 * within the bounds of {@link parseJson}.
 */
export function DocumentedMutation<
  Payload extends Fallible,
  Input extends object = object,
  Id extends string = never,
  Argument extends string = never,
>(options: DocumentedMutationOptions<Payload, Input, Id, Argument>) {
  return (
    prototype: object,
    name: string,
    { value: method }: { readonly value?: Method<Payload, Id, Argument> },
  ): void => {
    if (method === undefined) {
      throw new TypeError(`${name} is not a method`);
    }
    const { scopes, payload } = options;
    for (const field of [publicField(name, options), hiddenField(options)]) {
      if (field) {
        declareField(prototype, { ...field, scopes, payload, method });
      }
    }
  };
}

/** An argument of a field, before type-graphql knows it. */
interface FieldArgument extends Described {
  readonly name: string;
  type(): unknown;
  readonly nullable?: boolean;
}

type Values = Readonly<Record<string, unknown>>;

interface Field<Id extends string, Argument extends string> extends Described {
  readonly name: string;
  readonly isHidden: boolean;
  readonly args: readonly FieldArgument[];
  /** Reads the call from the values of the arguments. */
  read(values: Values): Omit<MutationCall<Id, Argument>, 'principal'>;
}

function publicField<Input extends object, Id extends string, Argument extends string>(
  name: string,
  { graphql, rest, ids, args }: DocumentedMutationOptions<Fallible, Input, Id, Argument>,
): Field<Id, Argument> | undefined {
  if (!graphql) {
    return undefined;
  }
  const { type, description, toBody = inputToBody } = graphql.input;
  const idNames = namesOf(ids);
  return {
    name,
    description: graphql.description,
    isHidden: false,
    args: [{ name: 'input', type, description }, ...textArguments(args, 'graphql')],
    read: (values) => {
      // The casts: GraphQL has read the argument as the type that `input` declares.
      const input = Object.entries(values.input as Input);
      const others = input.filter(([field]) => !idNames.some((id) => id === field));
      const given = new Map(input);
      return {
        ids: recordOf(idNames, (id) => String(given.get(id))),
        body: rest.body === 'none' ? undefined : toBody(Object.fromEntries(others) as Omit<Input, Id>),
        unread: undefined,
        args: textValues(args, values),
        surface: 'graphql',
      };
    },
  };
}

function hiddenField<Input extends object, Id extends string, Argument extends string>({
  rest,
  ids,
  args,
}: DocumentedMutationOptions<Fallible, Input, Id, Argument>): Field<Id, Argument> {
  const { field, description, body = 'required' } = rest;
  const idNames = namesOf(ids);
  const argumentOf = (id: Id) => ids?.[id].argument ?? id;
  return {
    name: field,
    description,
    isHidden: true,
    args: [
      ...idNames.map((id) => ({
        name: argumentOf(id),
        type: () => ID,
        description: ids?.[id].description ?? '',
      })),
      ...BODY_ARGUMENTS[body],
      ...textArguments(args, 'rest'),
    ],
    read: (values) => ({
      ids: recordOf(idNames, (id) => String(values[argumentOf(id)])),
      body: typeof values.body === 'string' ? readText(values.body, body) : undefined,
      unread: unreadOf(values.unread),
      args: textValues(args, values),
      surface: 'rest',
    }),
  };
}

const BODY = { name: 'body', type: () => String, description: 'The JSON text of the request.' };
const BODY_ARGUMENTS: Readonly<Record<RestBody, readonly FieldArgument[]>> = {
  required: [BODY],
  optional: [BODY],
  bounded: [
    { ...BODY, description: 'The JSON text of the request; null when it was not read.', nullable: true },
    {
      name: 'unread',
      type: () => String,
      description:
        'Why the body was not read: PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE; null when it was.',
      nullable: true,
    },
  ],
  none: [],
};

function unreadOf(value: unknown): UnreadBody | undefined {
  return value === 'PAYLOAD_TOO_LARGE' || value === 'UNSUPPORTED_MEDIA_TYPE' ? value : undefined;
}

function readText(text: string, kind: RestBody): unknown {
  return text === '' && kind === 'optional' ? {} : parseJson(text);
}

/** Defines a method for a field, and applies the decorators that one would write by hand. */
function declareField<Id extends string, Argument extends string>(
  prototype: object,
  {
    name,
    description,
    isHidden,
    args,
    read,
    scopes,
    payload,
    method,
  }: Field<Id, Argument> & {
    scopes: readonly [Scope, ...Scope[]];
    payload: () => ClassType;
    method: Method<Fallible, Id, Argument>;
  },
): void {
  const handler = `field ${name}`;
  const value = async function (this: object, context: RequestContext, ...values: unknown[]) {
    const principal = authorize(context);
    const call = read(Object.fromEntries(args.map((argument, index) => [argument.name, values[index]])));
    const answered = await method.call(this, { ...call, principal });
    return call.surface === 'graphql' ? inGraphql(answered) : answered;
  };
  Object.defineProperty(prototype, handler, { value });
  // Decorators are applied from the last argument to the first, as by the compiler: the printed schema follows that order.
  args.toReversed().forEach(({ name: argument, type, ...options }, index) => {
    // The cast: the types of arguments are classes, or the scalars of type-graphql.
    Arg(argument, type as () => ClassType, options)(prototype, handler, args.length - index);
  });
  Ctx()(prototype, handler, 0);
  if (isHidden) {
    Directive('@inaccessible')(prototype, handler, { value });
  }
  Mutation(payload, { name, description })(prototype, handler, { value });
  RequiresAllScopes(...scopes)(prototype, handler, { value });
}

function textArguments(
  args: Readonly<Record<string, TextArgument>> | undefined,
  surface: keyof TextArgument,
): FieldArgument[] {
  return Object.entries(args ?? {}).map(([name, argument]) => ({
    name,
    type: () => String,
    description: argument[surface],
    nullable: true,
  }));
}

function textValues<Argument extends string>(
  args: Readonly<Record<Argument, TextArgument>> | undefined,
  values: Values,
): Record<Argument, string | null> {
  return recordOf(namesOf(args), (name) => (values[name] == null ? null : String(values[name])));
}

function namesOf<Name extends string>(options: Readonly<Record<Name, unknown>> | undefined): Name[] {
  return options === undefined ? [] : keysOf(options);
}

/**
 * The REST body that means the same as a GraphQL input: null for "not given" is absence there, and numbers are
 * LosslessNumbers. Inputs within it are instances of their classes; any other object is a JSONObject of the caller's
 * own, whose nulls and numbers are values, and stays as it is.
 */
export function inputToBody(input: object): Readonly<Record<string, unknown>> {
  const given = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given.map(([key, value]: [string, unknown]) => [key, valueToBody(value)]));
}

function valueToBody(value: unknown): unknown {
  if (typeof value === 'number') {
    return new LosslessNumber(String(value));
  }
  if (Array.isArray(value)) {
    return value.map(valueToBody);
  }
  return typeof value === 'object' && value !== null && isInput(value) ? inputToBody(value) : value;
}

function isInput(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== null && prototype !== Object.prototype && !(value instanceof Date);
}

/** Makes the payload of a result; null under `field` when it failed. */
export function toPayload<Field extends string, Value, Shown>(
  field: Field,
  result: Result<Value>,
  present: (value: Value) => Shown,
): MutationPayload<Field, Shown> {
  const shown = result.ok ? present(result.value) : null;
  const userErrors = result.ok ? [] : toUserErrors(result.failures);
  // The cast: TypeScript has no exact type for an object with a computed key.
  return { [field]: shown, userErrors } as MutationPayload<Field, Shown>;
}
