import { z } from 'zod';
import { type Costs, PROCESS_ROLES, type Use } from './costs.ts';
import { ASSUMED, type Assumptions, busiest, limitOf, type Planned, planned, total } from './plan.ts';

const price = z.number().min(0);
const prices = z.object({
  name: z.string(),
  vcpuHour: price,
  gibHour: price,
  millionDiskOperations: price,
});
/** Lists of prices, in any currency. */
export const priceLists = z.array(prices);
type Prices = z.infer<typeof prices>;

/** Placeholders, no prices: each list counts one unit, so that the cost is the quantity. */
const PLACEHOLDERS: readonly Prices[] = [
  { name: 'vCPU-hours', vcpuHour: 1, gibHour: 0, millionDiskOperations: 0 },
  { name: 'GiB-hours', vcpuHour: 0, gibHour: 1, millionDiskOperations: 0 },
  { name: 'million disk operations', vcpuHour: 0, gibHour: 0, millionDiskOperations: 1 },
];

/** The requests of the manifests (deploy/kubernetes); a process may use a whole processor. */
const GIB_OF_A_PROCESS = 192 / 1024;
/** An assumption: of the store, for each of its processors. */
const GIB_OF_A_STORE_PROCESSOR = 4;

const LOG_COLUMNS = ['A look', 'An announcement', 'An event read', 'A turn', 'An event numbered'];
const whole = (value: number) => Math.round(value).toLocaleString('en');
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const table = (header: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(header), row(header.map(() => '---')), ...rows.map(row)].join('\n');

/** Processors, memory and commits of all deployments, for an hour at list prices. */
function costOf({ deployments, deployment, simulated }: Planned, list: Prices): string {
  const processes = total(deployment.processes);
  const store = deployment.shards * deployment.storeProcessors;
  const hour =
    deployments *
    ((processes + store) * list.vcpuHour +
      (processes * GIB_OF_A_PROCESS + store * GIB_OF_A_STORE_PROCESSOR) * list.gibHour +
      ((simulated.commits * 3600) / 1e6) * list.millionDiskOperations);
  return hour.toLocaleString('en', { maximumFractionDigits: 2 });
}

function describe({ rate, deployments, deployment: { processes, shards }, simulated }: Planned): string[] {
  const [role, part] = busiest(simulated);
  const [primary = 0, ...others] = simulated.commands;
  return [
    whole(rate),
    String(deployments),
    ...PROCESS_ROLES.map((one) => String(processes[one])),
    String(shards),
    whole(primary),
    others.length > 0 ? whole(Math.max(...others)) : '',
    `${whole(simulated.p50)} / ${whole(simulated.p95)}`,
    `${role === 'store' ? 'primary' : role}, ${whole(100 * part)} %`,
  ];
}

/** The loads, the assumptions and the prices of a report. */
interface Scope {
  readonly rates: readonly number[];
  readonly assumed: Assumptions;
  readonly lists: readonly Prices[];
}

/** Those of deploy/capacity.md. */
export const STANDARD: Scope = { rates: [100, 1_000, 10_000], assumed: ASSUMED, lists: PLACEHOLDERS };

/** The generated part of deploy/capacity.md. */
export function report(costs: Costs, { rates, assumed, lists }: Scope = STANDARD): string {
  const plans = rates.map((rate) => planned(costs, rate, assumed));
  const [limit, ofOne] = [limitOf(costs, assumed), limitOf(costs, assumed, 1)];
  const { accept, outcome, after } = costs.phases;
  const columns = [
    accept,
    outcome,
    after,
    costs.idle,
    costs.look,
    costs.notice,
    costs.watch,
    costs.turn,
    costs.event,
  ];
  const keys: readonly (keyof Use)[] = [...PROCESS_ROLES, 'store', 'commands', 'waitMs'];
  return [
    `${costs.source}. Milliseconds of processor time, commands, and milliseconds of waiting:`,
    table(
      ['', 'To acceptance', 'To the outcome', 'Afterwards', 'Idle, a second', ...LOG_COLUMNS],
      keys.map((key) => [key, ...columns.map((use) => use[key].toFixed(3))]),
    ),
    `Simulated, with ${assumed.storeProcessors} processors a shard, receivers that answer in ${assumed.receiverMs} ms, and ${assumed.accounts} accounts. Processes, shards and commands are those of each deployment:`,
    table(
      [
        'Calls/s',
        'Deployments',
        ...PROCESS_ROLES,
        'Shards',
        'Commands/s, primary',
        'Other shard',
        'To outcome, p50 / p95 ms',
        'Busiest',
      ],
      plans.map(describe),
    ),
    `One deployment serves up to ${whole(ofOne.rate)} calls a second without shards, and up to ${whole(limit.rate)} with any number of them. Above that, ${limit.full} is full, and only more deployments help.`,
    `An hour of it${lists === PLACEHOLDERS ? '. The lists are placeholders, which price one unit at 1 each' : ''}:`,
    table(
      ['Calls/s', ...lists.map(({ name }) => name)],
      plans.map((one) => [whole(one.rate), ...lists.map((list) => costOf(one, list))]),
    ),
  ].join('\n\n');
}

const [BEGIN, END] = ['<!-- simulation -->', '<!-- /simulation -->'];

/** The text with another generated part. @throws when it has no markers */
export function withReport(text: string, part: string): string {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) {
    throw new Error(`There is no part between ${BEGIN} and ${END}`);
  }
  return `${text.slice(0, begin + BEGIN.length)}\n${part}\n${text.slice(end)}`;
}
