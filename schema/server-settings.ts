import { z } from 'zod';
import { SETTINGS, type Setting } from '../subgraphs/kernel/config/schema.ts';
import { defaultOf } from './readme.ts';
import type { SchemaFile } from './supergraph.ts';

const FILE = 'gateway/package/settings.ts';
const HEADER =
  '// Made by `npm run schema` from subgraphs/kernel/config. Do not edit.\n\n' +
  '/** The settings of a server. Each may be left out; values are checked at the start. */\n';

/** The settings of the package's `createServer`, as a type that needs no library. */
export function serverSettings(): SchemaFile {
  const properties = Object.entries(SETTINGS).map(
    ([name, setting]) =>
      `  /** ${commentOf(setting)} */\n  readonly ${name}?: ${typeOf(setting)} | undefined;\n`,
  );
  return { name: FILE, text: `${HEADER}export interface ServerSettings {\n${properties.join('')}}\n` };
}

function commentOf(setting: Setting): string {
  const usual = defaultOf(setting);
  return usual === '' ? `${setting.description}.` : `${setting.description}. Default: ${usual}.`;
}

/** The type of a value, as TypeScript. A test compares it with the types of the checked settings. */
function typeOf({ type }: Setting): string {
  const inner = withoutDefault(type);
  if (inner instanceof z.ZodEnum) {
    return inner.options.map((option) => `'${option}'`).join(' | ');
  }
  const names = type.meta()?.items;
  if (Array.isArray(names)) {
    return `readonly (${names.map((name) => `'${name}'`).join(' | ')})[]`;
  }
  const usual = type.parse(undefined);
  if (Array.isArray(usual)) {
    return typeof usual[0] === 'number' ? 'readonly number[]' : 'readonly string[]';
  }
  // Without a default, the type follows from a parsed example.
  const kinds = [usual, type.safeParse('true').data, type.safeParse('7').data].map((value) => typeof value);
  return kinds.find((kind) => kind === 'number' || kind === 'boolean') ?? 'string';
}

function withoutDefault(type: z.ZodType): unknown {
  const wraps = type instanceof z.ZodDefault || type instanceof z.ZodOptional;
  return wraps ? type.unwrap() : type;
}
