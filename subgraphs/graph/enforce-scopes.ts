import {
  type ConstDirectiveNode,
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLSchema,
  isObjectType,
  valueFromASTUntyped,
} from 'graphql';
import { z } from 'zod';
import { PLATFORM_ACCOUNT, type Principal, type RequestContext, readsOnly } from '../kernel/principal.ts';
import { authorize, graphqlError } from './authorize.ts';

/** Alternatives, each a list of scopes that a principal must hold together; as `@requiresScopes` has them. */
export type ScopeRequirement = readonly (readonly string[])[];

/** Fields that federation adds; `buildSubgraph` checks `_entities` by type. */
const MACHINERY: ReadonlySet<string> = new Set(['_entities', '_service']);
const requirementSchema = z.array(z.array(z.string()));

/**
 * Makes every field with `@requiresScopes` check the principal before its resolver or subscription begins. So only the
 * directive names the scopes for each call. The gateway reads the same directive; this check also holds for callers that bypass the
 * gateway. A caller that only reads changes nothing, whatever its scopes. Changes the schema.
 * @throws Error for a field of a root type without the directive
 */
export function enforceScopes(schema: GraphQLSchema): void {
  const mutation = schema.getMutationType();
  const roots = [schema.getQueryType(), mutation, schema.getSubscriptionType()];
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields())) {
      const requirement = readRequirement(field.astNode?.directives);
      if (requirement) {
        enforce(field, type === mutation ? changing(requirement) : reading(requirement));
      } else if (roots.includes(type) && !MACHINERY.has(field.name)) {
        throw new Error(`${type.name}.${field.name} does not say by @RequiresScopes who may call it`);
      }
    }
  }
}

/** The scopes for loading a type as an entity; undefined when the type declares none in this subgraph. */
export function requirementOf(schema: GraphQLSchema, typename: string): ScopeRequirement | undefined {
  const type = schema.getType(typename);
  const nodes = isObjectType(type) ? [type.astNode, ...type.extensionASTNodes] : [];
  return readRequirement(nodes.flatMap((node) => node?.directives ?? []));
}

/** @throws GraphQLError UNAUTHENTICATED without a principal, FORBIDDEN for one that holds none of the alternatives */
export function checkScopes(context: RequestContext, requirement: ScopeRequirement): void {
  const held: readonly string[] = authorize(context).scopes;
  if (!requirement.some((all) => all.every((scope) => held.includes(scope)))) {
    throw graphqlError('FORBIDDEN');
  }
}

/** Why no mutation runs for the caller; undefined when it may run those of its scopes. */
export function findMutationIssue(principal: Principal): string | undefined {
  if (!readsOnly(principal)) {
    return undefined;
  }
  return principal.browserToken
    ? 'A browser token only reads. Run mutations with an API key, on your server.'
    : `This console session only reads. Sign in with ${principal.accountId === PLATFORM_ACCOUNT ? 'the access operate' : 'a role that makes changes'}.`;
}

type Check = (context: RequestContext) => void;

function reading(requirement: ScopeRequirement): Check {
  return (context) => checkScopes(context, requirement);
}

function changing(requirement: ScopeRequirement): Check {
  return (context) => {
    checkScopes(context, requirement);
    const issue = findMutationIssue(authorize(context));
    if (issue !== undefined) {
      throw graphqlError('FORBIDDEN', issue);
    }
  };
}

function enforce(field: GraphQLField<unknown, RequestContext>, check: Check): void {
  const { resolve = defaultFieldResolver, subscribe } = field;
  if (subscribe) {
    field.subscribe = (source, args, context, info) => {
      check(context);
      return subscribe(source, args, context, info);
    };
    return;
  }
  field.resolve = (source, args, context, info) => {
    check(context);
    return resolve(source, args, context, info);
  };
}

/** The scopes that directives require; undefined without the directive. */
export function readRequirement(
  directives: readonly ConstDirectiveNode[] = [],
): ScopeRequirement | undefined {
  const scopes = directives
    .find(({ name }) => name.value === 'requiresScopes')
    ?.arguments?.find(({ name }) => name.value === 'scopes');
  return scopes && requirementSchema.parse(valueFromASTUntyped(scopes.value));
}
