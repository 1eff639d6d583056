import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RawRequest } from '../support/http.ts';

/** The expected answer, and the webhooks that must follow. */
export interface Step {
  readonly request: RawRequest;
  readonly status: number;
  /** By lower-case name: header values that the fixture states; the runner checks the common ones anyway. */
  readonly headers: Readonly<Record<string, string>>;
  /** Template of the whole body. */
  readonly body: string;
  /** Event names and templates of their bodies. */
  readonly webhooks: readonly { readonly event: string; readonly body: string }[];
}

/** One rule of the contract: calls in their order, on data of its own. */
export interface Case {
  /** Path of the file below the contract folder, without its ending. */
  readonly file: string;
  readonly title: string;
  readonly steps: readonly Step[];
}

/**
 * Reads every `*.http` file below a folder. README.md in this folder has the format.
 * @param rewrite makes the text of each file another one
 * @throws naming the file and the line that cannot be read
 */
export function readCases(folder: string, rewrite = (text: string) => text): Case[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.http'))
    .toSorted()
    .flatMap((name) => readFile(join(folder, name), name.replace(/\.http$/, ''), rewrite));
}

function readFile(path: string, file: string, rewrite: (text: string) => string): Case[] {
  const cases = readText(rewrite(readFileSync(path, 'utf8')), file);
  const titles = cases.map(({ title }) => title);
  if (cases.length === 0 || new Set(titles).size < titles.length) {
    throw new SyntaxError(`${path}: needs cases with titles of their own`);
  }
  return cases;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type DraftWebhook = { event: string; body: string };
type DraftStep = Mutable<Omit<Step, 'request' | 'webhooks'>> & {
  request: Mutable<RawRequest> & { headers: Record<string, string> };
  webhooks: DraftWebhook[];
  /** The number of calls. */
  times: number;
};
type DraftCase = { file: string; title: string; steps: DraftStep[] };

/** Lines by their first characters; everything else belongs to the body of what came before. */
const MARKED = /^(### |> |< |@ |# |= )(.*)$/;

/** Reads the text of one file. */
export function readText(text: string, file: string): Case[] {
  const cases: DraftCase[] = [];
  const definitions = new Map<string, string>();
  let marker = '';
  text.split('\n').forEach((source, index) => {
    const line = source.replaceAll(/\{(\w+)\}/g, (use, name: string) => definitions.get(name) ?? use);
    const [, mark, rest = ''] = MARKED.exec(line) ?? [];
    try {
      if (mark === undefined) {
        addBody(cases, marker, line);
      } else if (mark === '= ') {
        define(definitions, rest);
      } else if (mark !== '# ') {
        addMarked(cases, file, { mark, rest, before: marker });
        marker = mark;
      }
    } catch (error) {
      throw new SyntaxError(`${file}.http:${index + 1}: ${(error as Error).message}`);
    }
  });
  return cases.map((one) => ({ ...one, steps: one.steps.flatMap(repeat) }));
}

function repeat({ times, ...step }: DraftStep): Step[] {
  return Array.from({ length: times }, () => step);
}

function define(definitions: Map<string, string>, text: string): void {
  const [, name, value] = /^(\w+) (.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined || definitions.has(name)) {
    throw new SyntaxError('a definition is "= name text", once for each name');
  }
  definitions.set(name, value);
}

function addMarked(
  cases: DraftCase[],
  file: string,
  { mark, rest, before }: { mark: string; rest: string; before: string },
): void {
  switch (mark) {
    case '### ':
      cases.push({ file, title: rest, steps: [] });
      break;
    case '> ':
      addRequestLine(lastOf(cases), rest, before);
      break;
    case '< ':
      addStatusLine(lastOf(lastOf(cases).steps), rest, before);
      break;
    default:
      lastOf(lastOf(cases).steps).webhooks.push({ event: rest, body: '' });
  }
}

function addRequestLine({ steps }: DraftCase, rest: string, before: string): void {
  if (before === '> ') {
    Object.assign(lastOf(steps).request.headers, readHeader(rest));
    return;
  }
  const [, method, path, times = '1'] = /^(\S+) (\S+)(?: \*(\d+))?$/.exec(rest) ?? [];
  if (!(method && path)) {
    throw new SyntaxError('a request begins with "> METHOD PATH", or "> METHOD PATH *TIMES"');
  }
  const request = { method, path, headers: {} };
  steps.push({ request, times: Number(times), status: 0, headers: {}, body: '', webhooks: [] });
}

function addStatusLine(step: DraftStep, rest: string, before: string): void {
  if (before === '< ') {
    Object.assign(step.headers, readHeader(rest));
    return;
  }
  if (!/^\d{3}$/.test(rest) || step.status !== 0) {
    throw new SyntaxError('a response begins with "< STATUS", once for each request');
  }
  step.status = Number(rest);
}

function readHeader(text: string): Record<string, string> {
  const [, name, value = ''] = /^([^ :]+):(?: (.*))?$/.exec(text) ?? [];
  if (name === undefined) {
    throw new SyntaxError(`"${text}" is no header`);
  }
  return { [name]: value };
}

function addBody(cases: DraftCase[], marker: string, line: string): void {
  if (line.trim() === '') {
    return;
  }
  const step = lastOf(lastOf(cases).steps);
  if (marker === '> ') {
    step.request.body = `${step.request.body ?? ''}${line}`;
  } else if (marker === '< ') {
    step.body += line;
  } else if (marker === '@ ') {
    lastOf(step.webhooks).body += line;
  }
}

function lastOf<T>(items: readonly T[]): T {
  const last = items.at(-1);
  if (last === undefined) {
    throw new SyntaxError('this line has nothing that it could belong to');
  }
  return last;
}
