import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '../subgraphs/kernel/project-root.ts';

/** The file of all dates, which `npm run check:breaking` compares with the one of the last release. */
export const DEPRECATIONS_FILE = 'schema/deprecations.json';

const date = z.iso.date('must be a date such as 2026-12-01');

const deprecationSchema = z
  .strictObject({
    /**
     * A call, as `GET /partner/links/{linkId}`, a schema coordinate: `Type.field`, `Type.field(argument:)`, `Input.field`,
     * `Enum.VALUE`, or a version of the event catalogue, as `event version 1`.
     */
    name: z.string().min(1),
    /** From this date on (UTC) it should no longer be used. */
    deprecatedAt: date,
    /** From this date on (UTC) it may be gone. */
    sunsetAt: date,
    /** Where the documentation says how to do without it, such as `/docs/upgrade#readiness`. */
    page: z.string().startsWith('/docs/', 'must be an address of the documentation'),
  })
  .refine(({ deprecatedAt, sunsetAt }) => deprecatedAt < sunsetAt, 'sunsetAt must be after deprecatedAt');

const fileSchema = z
  .array(deprecationSchema)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'has a name twice');

/** A call, field, argument, value or version of events that partners should no longer use, and its dates. */
export type Deprecation = Readonly<z.output<typeof deprecationSchema>>;

/** Reads the content of the file. @throws Error that names each issue */
export function parseDeprecations(text: string): readonly Deprecation[] {
  const parsed = fileSchema.safeParse(JSON.parse(text));
  if (!parsed.success) {
    throw new Error(`${DEPRECATIONS_FILE} is not valid:\n${z.prettifyError(parsed.error)}`);
  }
  return parsed.data;
}

/** Reads the file. @throws Error as {@link parseDeprecations} */
export function readDeprecations(): readonly Deprecation[] {
  return parseDeprecations(readFileSync(join(projectRoot(), DEPRECATIONS_FILE), 'utf8'));
}

/** The name of a call, from its method and its path in Fastify's form. */
export function callName(method: string, path: string): string {
  return `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;
}

/** The name of a version of the event catalogue. */
export function eventVersionName(version: number): string {
  return `event version ${version}`;
}
