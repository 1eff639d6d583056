import {
  type Attributes,
  context as active,
  createContextKey,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api';
import type { ExecutionResult } from 'graphql';
import { isHiddenInLog } from '../../subgraphs/kernel/person/mask-numbers.ts';
import {
  type EngineContext,
  type EngineHooks,
  type OperationInfo,
  observe,
  type SubgraphFetch,
  type SubgraphResponse,
} from '../engine/index.ts';
import { errorNameOf } from './error-name.ts';

type Traced = ExecutionResult | SubgraphResponse | AsyncIterable<unknown>;

/** OpenTelemetry's value for an unknown type of operation. */
const UNKNOWN_OPERATION = 'GraphQL Operation';
/** The operation that an active context belongs to, until its type is known. */
const UNTYPED = createContextKey('remitgraph untyped operation');
/** Longer names of operations are left out, and those with card numbers or credentials: clients choose them. */
const LONGEST_NAME = 128;

/**
 * Hooks with a span for each operation, for the start of each subscription, and for each fetch. They have no
 * documents, no variables and no messages of errors, which may repeat a client's input. Source: OpenTelemetry
 * semantic conventions, "GraphQL server".
 */
export function createGraphSpans<Context extends EngineContext>(tracer: Tracer): EngineHooks<Context> {
  return {
    onOperation: (operation, context, next) => inOperation(tracer, operation, () => next(context)),
    onSubscribe: (operation, context, next) =>
      inSpan(
        tracer,
        'subscription',
        {
          kind: SpanKind.SERVER,
          attributes: {
            ...nameAttributes(operation.operationName),
            'graphql.operation.type': 'subscription',
          },
        },
        () => next(context),
      ),
    onFetch(fetch, context, next) {
      recordType(fetch);
      const attributes = {
        ...nameAttributes(fetch.operationName),
        'graphql.operation.type': fetch.operationKind,
        'graphql.subgraph.name': fetch.subgraph,
      };
      return inSpan(tracer, 'graphql.fetch', { kind: SpanKind.CLIENT, attributes }, () => next(context));
    },
  };
}

function inOperation<T extends Traced>(
  tracer: Tracer,
  { operationName }: OperationInfo,
  work: () => Promise<T>,
): Promise<T> {
  const options = { kind: SpanKind.SERVER, attributes: nameAttributes(operationName) };
  return inSpan(tracer, UNKNOWN_OPERATION, options, (span) =>
    active.with(active.active().setValue(UNTYPED, { span, isTyped: false }), work),
  );
}

/** The hooks see an operation before it is parsed. Its first fetch has its type. */
function recordType({ operationKind }: SubgraphFetch): void {
  const operation = active.active().getValue(UNTYPED) as { span: Span; isTyped: boolean } | undefined;
  if (operation !== undefined && !operation.isTyped) {
    operation.isTyped = true;
    operation.span.updateName(operationKind);
    operation.span.setAttribute('graphql.operation.type', operationKind);
  }
}

function nameAttributes(name: string | null | undefined): Attributes {
  return name === null || name === undefined || name.length > LONGEST_NAME || isHiddenInLog(name)
    ? {}
    : { 'graphql.operation.name': name };
}

interface Options {
  readonly kind: SpanKind;
  readonly attributes: Attributes;
}

/** Runs `work` in a span, which ends with it and has its error. */
function inSpan<T extends Traced>(
  tracer: Tracer,
  name: string,
  options: Options,
  work: (span: Span) => Promise<T>,
): Promise<T>;
function inSpan<T extends Traced>(
  tracer: Tracer,
  name: string,
  options: Options,
  work: (span: Span) => T | Promise<T>,
): T | Promise<T>;
function inSpan<T extends Traced>(
  tracer: Tracer,
  name: string,
  options: Options,
  work: (span: Span) => T | Promise<T>,
): T | Promise<T> {
  return tracer.startActiveSpan(name, options, (span) =>
    observe(
      () => work(span),
      ({ result, error }) => end(span, result === undefined ? errorNameOf(error) : errorTypeOf(result)),
    ),
  );
}

/** The code of the first error of a result. */
function errorTypeOf(result: Traced): string | undefined {
  const [first] = ('errors' in result && result.errors) || [];
  if (first === undefined) {
    return undefined;
  }
  const code = first.extensions?.code;
  return typeof code === 'string' ? code : 'GraphQLError';
}

function end(span: Span, errorType: string | undefined): void {
  if (errorType !== undefined) {
    span.setAttribute('error.type', errorType);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
