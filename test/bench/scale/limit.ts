/** How many processors the processes of a role kept busy. */
export interface Busy {
  readonly role: string;
  readonly processes: number;
  /** Such as 1.5: of two processes, three quarters of a processor each. */
  readonly processors: number;
}

/** A process of Node runs our code on one thread: from here on it has no time left. */
const FULL_PROCESS = 0.85;
/** The rest goes to the system, which nobody accounts for. */
const FULL_MACHINE = 0.85;
/** Roles that take less of what is used are left out. */
const WORTH_REPORTING = 0.05;

/**
 * The limit of the rate: a role whose processes are full, the machine, or neither: then calls wait for each other, or for
 * answers and disks. The shares of the roles in what was used stand behind it.
 */
export function describeLimit(busy: readonly Busy[], machine: number): string {
  const used = busy.reduce((sum, { processors }) => sum + processors, 0);
  const byUse = busy.toSorted((one, other) => other.processors - one.processors);
  const shares = byUse
    .filter(({ processors }) => processors / used >= WORTH_REPORTING)
    .map(({ role, processors }) => `${role} ${Math.round((100 * processors) / used)} %`);
  return `${nameLimit(byUse, used, machine)}; of ${used.toFixed(1)} processors ${shares.join(', ')}`;
}

function nameLimit(busy: readonly Busy[], used: number, machine: number): string {
  // With the machine full, a full process is full of waiting for it.
  if (used >= FULL_MACHINE * machine) {
    return 'the machine';
  }
  const full = busy.filter(({ processes, processors }) => processors >= FULL_PROCESS * processes);
  return full.length > 0 ? full.map(({ role }) => role).join(' and ') : 'waiting';
}
