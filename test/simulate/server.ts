/** Executes jobs, in the order in which they come, as many at once as it has processors. */
export interface Server {
  /** @param ms processor time of the job */
  serve(ms: number, done?: () => void): void;
  readonly arrived: number;
  readonly departed: number;
  /** Processor time of the jobs that have departed, milliseconds. */
  readonly busyMs: number;
}

/**
 * @param execute runs a job that has got one of the server's processors: `after` of the clock; or `serve` of a machine, whose
 *   processors the server shares with others
 */
export function createServer(processors: number, execute: (ms: number, done: () => void) => void): Server {
  const waiting: (() => void)[] = [];
  let free = processors;
  const server = {
    arrived: 0,
    departed: 0,
    busyMs: 0,
    serve: (ms: number, done?: () => void) => {
      server.arrived += 1;
      const begin = () =>
        execute(ms, () => {
          server.departed += 1;
          server.busyMs += ms;
          const next = waiting.shift();
          free += next ? 0 : 1;
          next?.();
          done?.();
        });
      if (free > 0) {
        free -= 1;
        begin();
      } else {
        waiting.push(begin);
      }
    },
  };
  return server;
}
