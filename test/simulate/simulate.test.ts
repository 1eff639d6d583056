import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { createClock, createDraws } from './clock.ts';
import { readCosts } from './costs.ts';
import { draw } from './picture.ts';
import { plan, useByLoad } from './plan.ts';
import { simulate } from './product.ts';
import { report, withReport } from './report.ts';
import { createServer } from './server.ts';

/** The mean time that jobs spend at a server, in service times of 1 ms; and how many were counted. */
function queue(processors: number, perMs: number, jobs: number) {
  const clock = createClock();
  const draws = createDraws(`M/M/${processors}`);
  const server = createServer(processors, clock.after);
  let [spent, arrived] = [0, 0];
  const arrive = () => {
    const from = clock.now();
    arrived += 1;
    server.serve(draws.exponential(1), () => {
      spent += clock.now() - from;
    });
    if (arrived < jobs) {
      clock.after(draws.exponential(1 / perMs), arrive);
    }
  };
  arrive();
  clock.runUntil((jobs / perMs) * 2);
  return { mean: spent / server.departed, used: server.busyMs / (jobs / perMs) / processors, server };
}

/** Erlang's C: the part of the jobs that wait. */
function waitingPart(processors: number, load: number): number {
  let [term, sum] = [1, 1];
  for (let n = 1; n < processors; n += 1) {
    term *= load / n;
    sum += term;
  }
  const full = ((term * load) / processors) * (processors / (processors - load));
  return full / (sum + full);
}

describe('a server with random jobs', () => {
  test.each([
    [1, 0.5],
    [1, 0.8],
    [2, 0.7],
    [4, 0.8],
  ])('and %d processors, each used %d, keeps them as long as the closed formula says', (processors, used) => {
    const load = processors * used;
    const measured = queue(processors, load, 400_000);
    const expected = 1 + waitingPart(processors, load) / (processors - load);
    expect(Math.abs(measured.mean / expected - 1)).toBeLessThan(0.03);
    expect(Math.abs(measured.used / used - 1)).toBeLessThan(0.03);
    expect(measured.server.arrived).toBe(measured.server.departed);
  });

  test('shares the processors of a machine with others', () => {
    const clock = createClock();
    const machine = createServer(1, clock.after);
    const [one, other] = [createServer(1, machine.serve), createServer(1, machine.serve)];
    const ends: number[] = [];
    for (const server of [one, one, other]) {
      server.serve(10, () => void ends.push(clock.now()));
    }
    clock.runUntil(100);
    expect(ends).toEqual([10, 20, 30]);
  });
});

test('a clock runs what is due in order, first what was added first', () => {
  const clock = createClock();
  const ran: string[] = [];
  clock.after(2, () => void ran.push('late'));
  clock.after(1, () => void ran.push('early'));
  clock.after(1, () => clock.after(1, () => void ran.push('added')));
  clock.after(3, () => void ran.push('never'));
  clock.runUntil(2);
  expect(ran).toEqual(['early', 'late', 'added']);
  expect(clock.now()).toBe(2);
});

describe('a simulated product', () => {
  const costs = readCosts();
  const deployment = plan(costs, 100);
  if (typeof deployment === 'string') {
    throw new Error(`${deployment} is full at 100 calls a second`);
  }
  const run = (seed: string, load: Parameters<typeof simulate>[2] = { rate: 100, evenly: false }) =>
    simulate(costs, deployment, load, { seconds: 4, warmUp: 1, seed });

  test('has the same result with the same seed, and another one with another seed', () => {
    expect(run('one')).toEqual(run('one'));
    expect(run('other')).not.toEqual(run('one'));
  });

  test('loses no call: those that arrived are done or in flight', () => {
    const closed = run('one', { underWay: 16 });
    expect(closed.calls.arrived).toBe(closed.calls.departed + closed.calls.inFlight);
    expect(closed.calls.inFlight).toBeGreaterThanOrEqual(16);
    expect(closed.calls.departed).toBeGreaterThan(100);
    const open = run('one', { rate: 100, evenly: true });
    expect(Math.abs(open.perSecond / 100 - 1)).toBeLessThan(0.03);
    expect(open.calls.inFlight).toBeLessThan(100);
  });

  test('has as many calls under way as its rate and its times say', () => {
    const { perSecond, p50 } = run('one', { underWay: 4 });
    expect(Math.abs((perSecond * p50) / 1000 / 4 - 1)).toBeLessThan(0.15);
  });

  test('uses at most the planned part of each processor', () => {
    for (const [role, part] of Object.entries(run('one').used)) {
      expect([role, part < 0.65]).toEqual([role, true]);
    }
  });
});

test('deploy/capacity has the simulation of the measured costs; `npm run simulate:scale` writes it', () => {
  const text = readFileSync('deploy/capacity.md', 'utf8');
  expect(text).toBe(withReport(text, report(readCosts())));
  expect(readFileSync('deploy/capacity.svg', 'utf8')).toBe(draw(useByLoad(readCosts())));
});
