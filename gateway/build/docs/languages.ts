import { type CurlRequest, curlRequest } from './curl.ts';
import { readCommands } from './shell.ts';

/** A call in a language, as a program that prints what `curl` prints. */
export interface Snippet {
  readonly language: 'curl' | 'JavaScript' | 'Python';
  readonly text: string;
}

/** Stands before and after the name of a variable while the call is read. No example has it. */
const MARK = '\uE000';

/** Options of calls that are shown for `curl` alone. */
const FOR_CURL_ALONE = new Set([
  // It follows an event stream. A program does so by the client library, which also reconnects.
  '-N',
  // It saves a file under its name on the server.
  '-fO',
  // It prints the answer's headers.
  '-i',
]);

/**
 * Writes the one `curl` call of an example in each language. The libraries for this need a compiled parser of shells (curlconverter),
 * or read no `curl` and know no variables (httpsnippet).
 * @param example the text of a `sh` fence
 * @returns empty for other commands, for several, and with an option of {@link FOR_CURL_ALONE}
 * @throws Error for a call that is not read here
 */
export function snippetsOf(example: string): Snippet[] {
  if (!example.startsWith('curl ')) {
    return [];
  }
  const names = [...example.matchAll(/\$(\w+)/g)].map(([, name = '']) => name);
  const values = Object.fromEntries(names.map((name) => [name, MARK + name + MARK]));
  const [[, ...words] = [], ...others] = readCommands(example, values);
  if (others.length > 0 || words.some((word) => FOR_CURL_ALONE.has(word))) {
    return [];
  }
  const request = curlRequest(words);
  return [
    { language: 'curl', text: example },
    { language: 'JavaScript', text: javaScriptOf(request) },
    { language: 'Python', text: pythonOf(request) },
  ];
}

/** For `fetch` of Node 20. */
function javaScriptOf({ method, path, headers, body }: CurlRequest): string {
  const entries = Object.entries(headers).map(([name, value]) => `    ${js(name)}: ${js(value)},\n`);
  const options = [
    `  method: ${js(method)},\n`,
    `  headers: {\n${entries.join('')}  },\n`,
    ...(body === undefined ? [] : [`  body: ${js(body)},\n`]),
  ];
  return `const response = await fetch(${js(urlOf(path))}, {\n${options.join('')}});\nconsole.log(await response.text());`;
}

/**
 * For the standard library, which needs no installation. `urlopen` raises what it takes for an error, but the answers of such calls
 * are a part of the documentation.
 */
function pythonOf({ method, path, headers, body }: CurlRequest): string {
  const entries = Object.entries(headers).map(([name, value]) => `        ${py(name)}: ${py(value)},\n`);
  const options = [
    `    ${py(urlOf(path))},\n`,
    `    method=${py(method)},\n`,
    `    headers={\n${entries.join('')}    },\n`,
    ...(body === undefined
      ? []
      : [`    data=${body.includes(MARK) ? `(${py(body)})` : py(body)}.encode(),\n`]),
  ];
  return `import os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
${options.join('')})
try:
    response = urlopen(request)
except HTTPError as error:
    response = error
print(response.read().decode())`;
}

const urlOf = (path: string) => `http://localhost:4000${path}`;

function js(text: string): string {
  return expressionOf(
    text,
    (name) => `process.env.${name}`,
    (part) =>
      part.includes('\n')
        ? `\`${escapeText(part, /[\\`\r]|\$(?=\{)/g)}\``
        : `'${escapeText(part, /[\\'\r]/g)}'`,
  );
}

function py(text: string): string {
  return expressionOf(
    text,
    (name) => `os.environ['${name}']`,
    (part) => {
      const quotes = part.includes('\n') ? "'''" : "'";
      return quotes + escapeText(part, /[\\'\r]/g) + quotes;
    },
  );
}

/** The sum of a text's parts: variables and what stands between them. */
function expressionOf(
  text: string,
  variable: (name: string) => string,
  literal: (part: string) => string,
): string {
  const parts = text.split(MARK).map((part, index) => {
    if (index % 2 === 1) {
      return variable(part);
    }
    return part === '' ? '' : literal(part);
  });
  return parts.filter((part) => part !== '').join(' + ') || "''";
}

/** Both languages read a plain carriage return in a text of several lines as a new line. */
function escapeText(text: string, characters: RegExp): string {
  return text.replaceAll(characters, (character) => (character === '\r' ? '\\r' : `\\${character}`));
}
