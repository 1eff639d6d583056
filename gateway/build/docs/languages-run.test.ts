import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { curlRequest } from './curl.ts';
import { snippetsOf } from './languages.ts';
import { readCommands } from './shell.ts';

// The calls of a page are run in each language, and send what curl sends.

const KEY = 'raas_sandbox_of_the_test';
const page = readFileSync('gateway/docs/quickstart-rest.md', 'utf8');
const calls = [...page.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)]
  .map(([, text = '']) => text)
  .filter((text) => snippetsOf(text).length > 0);
const LANGUAGES = [
  ['JavaScript', process.execPath, ['--input-type=module', '-e']],
  ['Python', 'python3', ['-c']],
] as const;

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly headers: unknown;
  readonly body: unknown;
}

let app: FastifyInstance;
let url: string;
let recorded: Recorded[] = [];

beforeAll(async () => {
  app = Fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.all('/*', ({ method, url: path, headers, body }, reply) => {
    recorded.push({ method, path, headers, body });
    // Errors are answers too: a program prints them as curl does.
    return reply.code(409).send(`answer ${recorded.length}`);
  });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

describe('the calls of the quickstart by REST send what curl sends, and print the answer', () => {
  for (const [language, program, args] of LANGUAGES) {
    const isThere = spawnSync(program, ['--version']).status === 0;
    const itRuns = isThere ? test : test.skip;
    itRuns(isThere ? language : `${language} (skipped: ${program} is not on this machine)`, async () => {
      recorded = [];
      for (const [index, call] of calls.entries()) {
        const snippet = snippetsOf(call).find((one) => one.language === language)?.text ?? '';
        const child = spawn(program, [...args, snippet.replace('http://localhost:4000', url)], {
          env: { ...process.env, KEY },
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        let output = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          output += text;
        });
        const [code] = await once(child, 'close');
        expect([code, output.trim()]).toEqual([0, `answer ${index + 1}`]);
      }
      const expected = calls.map((call) => {
        const [[, ...words] = []] = readCommands(call, { KEY });
        const { headers, body, ...request } = curlRequest(words);
        const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
        return { ...request, body, headers: expect.objectContaining(Object.fromEntries(sent)) };
      });
      expect(recorded).toEqual(expected);
      expect(recorded).toHaveLength(7);
    });
  }
});
