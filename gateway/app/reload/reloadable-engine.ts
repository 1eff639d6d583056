import type { ExecutionResult } from 'graphql';
import { type Engine, type EngineContext, onStreamEnd, type TrustedDocument } from '../../engine/index.ts';

/** One graph: an engine, and the resources that it holds open. */
export interface Graph<Context extends EngineContext> {
  readonly engine: Engine<Context>;
  /** Closes the graph. Called once, when the graph was replaced and its last operation and subscription have ended. */
  close(): Promise<void>;
}

/** An engine whose graph can be replaced while it serves. */
interface ReloadableEngine<Context extends EngineContext> {
  /** Each operation and subscription runs from beginning to end on the graph that was current when it began. */
  readonly engine: Engine<Context>;
  /**
   * Replaces the current graph for everything that begins from now on. Trusted documents are compiled for the new graph
   * first, and prepared requests are prepared again. @throws when a trusted document is not valid there; then the current
   * graph stays, and `next` is closed
   */
  replace(next: Graph<Context>): Promise<void>;
  /** Closes the current graph, and waits for the replaced ones. Nothing may begin afterwards. */
  close(): Promise<void>;
}

/** A graph, and the work that runs on it. */
interface Generation<Context extends EngineContext> {
  readonly engine: Engine<Context>;
  /** This generation's document for each document of an earlier generation. */
  readonly trusted: ReadonlyMap<TrustedDocument, TrustedDocument>;
  begin(): void;
  end(): void;
  /** Closes the graph when nothing runs on it any more; resolves after that. */
  retire(): Promise<void>;
}

function createGeneration<Context extends EngineContext>(
  graph: Graph<Context>,
  trusted: ReadonlyMap<TrustedDocument, TrustedDocument>,
): Generation<Context> {
  let running = 0;
  let becomeIdle: (() => void) | null = null;
  const settle = () => {
    if (running === 0) {
      becomeIdle?.();
    }
  };
  let closed: Promise<void> | undefined;
  return {
    engine: graph.engine,
    trusted,
    begin() {
      running += 1;
    },
    end() {
      running -= 1;
      settle();
    },
    retire() {
      closed ??= new Promise<void>((resolve) => {
        becomeIdle = resolve;
        settle();
      }).then(() => graph.close());
      return closed;
    },
  };
}

/** Compiles the missing trusted documents for another graph. */
async function prepareMissing(
  engine: Pick<Engine<EngineContext>, 'prepareTrusted'>,
  documents: ReadonlySet<TrustedDocument>,
  known: Map<TrustedDocument, TrustedDocument>,
): Promise<void> {
  for (const document of documents) {
    if (!known.has(document)) {
      known.set(document, engine.prepareTrusted(document.document));
    }
  }
  await Promise.all([...known.values()].map(({ ready }) => ready));
}

async function runOn<Context extends EngineContext, T>(
  generation: Generation<Context>,
  work: (engine: Engine<Context>) => Promise<T>,
): Promise<T> {
  generation.begin();
  try {
    return await work(generation.engine);
  } finally {
    generation.end();
  }
}

/** Counts a stream as running on its generation until it ends in any way. */
function streamOn(
  generation: Pick<Generation<EngineContext>, 'begin' | 'end'>,
  events: AsyncIterableIterator<ExecutionResult>,
): AsyncIterableIterator<ExecutionResult> {
  generation.begin();
  return onStreamEnd(events, () => generation.end());
}

/**
 * Makes an engine that serves `first` until another graph takes its place.
 *
 * @param closeFailed called if a replaced graph could not be closed
 */
export function createReloadableEngine<Context extends EngineContext>(
  first: Graph<Context>,
  closeFailed: (error: unknown) => void,
): ReloadableEngine<Context> {
  const trusted = new Set<TrustedDocument>();
  const prepared: Parameters<Engine<Context>['prepare']>[0][] = [];
  let current = createGeneration(first, new Map());
  const retiring = new Set<Promise<void>>();
  const engine: Engine<Context> = {
    get publicSchema() {
      return current.engine.publicSchema;
    },
    check: (request) => current.engine.check(request),
    async prepare(request) {
      const issues = await runOn(current, (on) => on.prepare(request));
      if (issues.length === 0) {
        prepared.push(request);
      }
      return issues;
    },
    execute: (request, context) => runOn(current, (on) => on.execute(request, context)),
    subscribe: (request, context) => {
      const generation = current;
      return runOn(generation, async (on) => {
        const result = await on.subscribe(request, context);
        return Symbol.asyncIterator in result ? streamOn(generation, result) : result;
      });
    },
    prepareTrusted(document) {
      const own = current.engine.prepareTrusted(document);
      trusted.add(own);
      return own;
    },
    executeTrusted(document, variables, context) {
      const { trusted: known } = current;
      return runOn(current, (on) => on.executeTrusted(known.get(document) ?? document, variables, context));
    },
  };
  return {
    engine,
    async replace(next) {
      const known = new Map<TrustedDocument, TrustedDocument>();
      try {
        // A request that is not valid for the new graph fails when a client sends it.
        await Promise.all(prepared.map((request) => next.engine.prepare(request)));
        // During a start, documents are prepared while the first graph may already be replaced.
        while (known.size < trusted.size) {
          await prepareMissing(next.engine, trusted, known);
        }
      } catch (error) {
        await next.close();
        throw error;
      }
      const old = current
        .retire()
        .catch(closeFailed)
        .then(() => void retiring.delete(old));
      retiring.add(old);
      current = createGeneration(next, known);
    },
    async close() {
      await Promise.all([current.retire(), ...retiring]);
    },
  };
}
