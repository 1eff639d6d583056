/** Times of answers by kind of call, milliseconds. */
export interface Latencies {
  add(kind: string, ms: number): void;
  /** A line for each kind: count, 50 %, 95 %, 99 % and the longest. */
  lines(): string[];
}

export function createLatencies(): Latencies {
  const byKind = new Map<string, number[]>();
  return {
    add: (kind, ms) => {
      const times = byKind.get(kind) ?? [];
      byKind.set(kind, times);
      times.push(ms);
    },
    lines: () => [...byKind].map(([kind, times]) => `${kind} ${describe(times)}`),
  };
}

function describe(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (part: number) => Math.round(sorted[Math.ceil(sorted.length * part) - 1] ?? 0);
  return `${sorted.length}: p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, max ${at(1)} ms`;
}
