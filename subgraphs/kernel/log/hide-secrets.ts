import { isRecord } from '../objects.ts';
/** Values under these names never reach a log line. */
export const SECRET_NAMES: ReadonlySet<string> = new Set([
  'api_key',
  'x-api-key',
  'x-internal-key',
  'authorization',
  'cookie',
  'secret',
  'sharedSecret',
]);

const HIDDEN = '[redacted]';
/** Levels to look into: one more than `request.headers.cookie` in a field of a line. */
const DEEPEST = 4;

/**
 * The fields of a log line, with `[redacted]` for what stands under a secret name, in objects and lists within them too. What
 * it is given stays as it is: only what holds a secret is copied, so that a line without any costs next to nothing (pino's own
 * redaction costs as much as ten lines).
 * @param except names of fields that are not looked into
 */
export function hideSecrets(
  fields: Readonly<Record<string, unknown>>,
  except: readonly string[] = [],
  depth = 1,
): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    const shown = except.includes(name) ? value : hideUnder(name, value, depth);
    if (shown !== value) {
      copy ??= { ...fields };
      copy[name] = shown;
    }
  }
  return copy ?? fields;
}

function hideUnder(name: string, value: unknown, depth: number): unknown {
  return SECRET_NAMES.has(name) && value !== undefined ? HIDDEN : hideWithin(value, depth);
}

function hideWithin(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth === DEEPEST) {
    return value;
  }
  if (Array.isArray(value)) {
    const shown = value.map((item) => hideWithin(item, depth + 1));
    return shown.every((item, index) => item === value[index]) ? value : shown;
  }
  return isRecord(value) ? hideSecrets(value, [], depth + 1) : value;
}
