import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** Values under these names never reach a log line, wherever they stand (two levels deep). */
const SECRET_FIELDS = [
  'api_key',
  'x-api-key',
  'x-internal-key',
  'authorization',
  'cookie',
  'secret',
  'sharedSecret',
];
const REDACTED = SECRET_FIELDS.flatMap((name) => [
  `["${name}"]`,
  `*["${name}"]`,
  `headers["${name}"]`,
  `*.headers["${name}"]`,
]);

/**
 * The process's logger: JSON lines with ISO 8601 times.
 * @param destination where the lines go; standard output by default
 */
export function createLogger(options: { level: string; destination?: DestinationStream }): Logger {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED, censor: '[redacted]' },
    },
    options.destination ?? pino.destination({ fd: 1, sync: true }),
  );
}
