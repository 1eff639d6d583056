import { say, table } from '../bench/stand.ts';
import { type Fixtures, LEFT_OUT } from './fixtures.ts';
import type { Service } from './fleet.ts';
import type { Load } from './load.ts';
import { type Phase, STAGES } from './phases.ts';

const SHOWN = 40;

interface Seen {
  readonly load: Load;
  readonly fixtures: Fixtures;
  readonly services: readonly Service[];
  readonly problems: readonly string[];
}

/** Prints what happened; the exit code is 1 when something did not hold. */
export function report(phases: readonly Phase[], { load, fixtures, services, problems }: Seen): void {
  table(
    ['outcome', 'answered', 'failed', 'of them not under way at a kill'],
    phases.map(({ name, answered, failed, unexcused }) =>
      [name, answered, failed.length, unexcused.length].map(String),
    ),
    1,
  );
  reportFixtures(fixtures);
  const unexcused = phases.flatMap((phase) => phase.unexcused);
  for (const { what, from, to, why } of unexcused.slice(0, SHOWN)) {
    say(`  ${what}, ${(to - from).toFixed(0)} ms: ${why.slice(0, 300)}`);
  }
  for (const problem of problems.slice(0, SHOWN)) {
    say(`  ${problem}`);
  }
  if (problems.length + unexcused.length > 0) {
    reportErrors(services);
  }
  say(`${load.created.size} money requests and ${load.calls.length} atomic calls besides the fixtures.`);
  const holds = problems.length + unexcused.length === 0;
  say(
    holds
      ? 'Everything holds: nothing lost, nothing twice, no wrong answer, no request failed but those under way at a kill.'
      : `It does not hold: ${problems.length} problems, ${unexcused.length} failed requests.`,
  );
  process.exitCode = holds ? 0 : 1;
}

/** From here on a line of the log is an error. Source: pino. */
const ERROR_LEVEL = 50;

/** Prints what processes have logged as errors, each once with how often: what failed at a client may have its cause there. */
function reportErrors(services: readonly Service[]): void {
  const counts = new Map<string, number>();
  for (const { role, output } of services) {
    for (const line of output().split('\n')) {
      const text = errorIn(line);
      if (text !== undefined) {
        counts.set(`${role}: ${text}`, (counts.get(`${role}: ${text}`) ?? 0) + 1);
      }
    }
  }
  for (const [text, count] of [...counts].slice(0, SHOWN)) {
    say(`  Logged ${count} times by ${text}`);
  }
}

/** The text of the line, without the parts that differ from one request to the next; undefined unless it is an error. */
function errorIn(line: string): string | undefined {
  if (!line.startsWith('{') || !line.endsWith('}')) {
    return undefined;
  }
  const { level, msg, err } = JSON.parse(line);
  return level >= ERROR_LEVEL
    ? [
        msg,
        err?.type,
        err?.code,
        err?.message,
        String(err?.stack ?? '')
          .split('\n')[1]
          ?.trim(),
      ]
        .filter(Boolean)
        .join(' | ')
    : undefined;
}

function reportFixtures({ runs, missing }: Fixtures): void {
  const rows = Object.values(STAGES).map((stage) => {
    const own = runs.filter((run) => run.stage === stage);
    const count = (outcome: string) => own.filter((run) => run.outcome === outcome).length;
    return [stage, count('passed'), count('repeated'), count('failed'), missing(stage).length].map(String);
  });
  table(
    [
      'cases of the contract that began while',
      'passed',
      'repeated because of a kill',
      'failed',
      'cases that have not passed',
    ],
    rows,
    1,
  );
  for (const [name, why] of Object.entries(LEFT_OUT)) {
    say(`  Left out: ${name} (${why})`);
  }
}
