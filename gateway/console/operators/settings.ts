// The settings of all processes side by side. Differences explain different behaviour of servers.

import type { DataOf } from '../graph.ts';

export type Process = DataOf<'platformSettings'>['platform']['processes'][number];
type Setting = Process['settings'][number];

/** A value of a setting, and the processes that have it. */
export interface SettingRow {
  /** Unique among the rows. */
  readonly key: string;
  readonly name: string;
  /** Null where it is unset, or a secret. */
  readonly value: string | null;
  readonly source: Setting['source'];
  readonly isSecret: boolean;
  /** Whether other processes have another value, or none. */
  readonly differs: boolean;
  /** As `api on host-1 (4711)`. */
  readonly processes: readonly string[];
}

interface SettingFilter {
  /** A part of the name, in any case of letters. */
  readonly name?: string | undefined;
  readonly source?: Setting['source'] | undefined;
  readonly differs?: boolean | undefined;
}

/** One row for each setting, or one for each of its values where processes differ; in the order of the documentation. */
export function compareSettings(processes: readonly Process[]): SettingRow[] {
  const values = new Map<string, Map<string, SettingRow & { readonly processes: string[] }>>();
  for (const process of processes) {
    for (const { name, value, source, isSecret } of process.settings) {
      const rows = values.get(name) ?? new Map();
      const key = JSON.stringify([name, value, source]);
      const row = rows.get(key) ?? { key, name, value, source, isSecret, differs: false, processes: [] };
      row.processes.push(nameOfProcess(process));
      values.set(name, rows.set(key, row));
    }
  }
  return [...values.values()].flatMap((rows) =>
    [...rows.values()].map((row) => ({ ...row, differs: row.processes.length < processes.length })),
  );
}

export function filterSettings(rows: readonly SettingRow[], filter: SettingFilter): SettingRow[] {
  const part = filter.name?.toUpperCase();
  return rows.filter(
    (row) =>
      (part === undefined || row.name.includes(part)) &&
      (filter.source === undefined || row.source === filter.source) &&
      (filter.differs === undefined || row.differs === filter.differs),
  );
}

function nameOfProcess({ role, host, pid }: Process): string {
  return `${role}, ${host} (${pid})`;
}
