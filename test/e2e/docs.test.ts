import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { curlRequest } from '../../gateway/build/docs/curl.ts';
import { GRAPHQL_WORDS } from '../../gateway/build/docs/errors/graphql-words.ts';
import { readCommands } from '../../gateway/build/docs/shell.ts';
import { readCommandLine } from '../../gateway/cli/admin/commands.ts';
import { PARTNER_SCOPES } from '../../subgraphs/kernel/principal.ts';
import { DEMO_SEED } from '../../subgraphs/partners/tenants/demo.ts';
import { exchangeWith } from '../support/http.ts';
import { createMoneyRequest, moneyRequestBody, newReference, queryGraph } from '../support/money-requests.ts';
import { runCurl } from '../support/run-curl.ts';
import { useScene } from '../support/scene.ts';
import { INTERNAL_KEY } from '../support/seed.ts';
import {
  checkTypes,
  comparable,
  type Example,
  readExamples,
  readUntil,
  type Snippets,
  writeSnippets,
} from '../support/snippets.ts';

// Every example of the documentation, as it stands there: calls are made of one server, programs are run, types are checked.

const KEY = 'raas_sandbox_of_the_documentation';
const PAGES = [
  ...readdirSync('gateway/docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `gateway/docs/${name}`),
  'gateway/http/README.md',
];
const schema = buildSchema(readFileSync('schema/api.graphql', 'utf8'));
const scene = useScene();
const values: Record<string, string> = {
  KEY,
  INTERNAL_KEY,
  MONGODB_URI: 'mongodb://x',
  RESTORED_URI: 'mongodb://y',
};
let url: string;

beforeAll(async () => {
  const [demo] = DEMO_SEED.tenants ?? [];
  const apiKeys = [{ key: KEY, scopes: [...PARTNER_SCOPES], label: 'demo' }];
  const deployment = await scene.deploy({ tenants: [{ ...demo, apiKeys }] });
  url = (await deployment.start()).url;
  const { data } = await queryGraph<{ latestEventCursor: string }>(
    exchangeWith(url),
    '{ latestEventCursor }',
    {},
    KEY,
  );
  values.CURSOR = String(data?.latestEventCursor);
});

async function createOne(): Promise<string> {
  const referenceId = newReference();
  const { status } = await createMoneyRequest(exchangeWith(url), moneyRequestBody(referenceId), { key: KEY });
  expect(status).toBe(201);
  return referenceId;
}

/** The answer of an `sh` example; undefined for commands without an answer on the page. */
async function runCommands(text: string): Promise<unknown> {
  let answer: unknown;
  for (const [program = '', ...words] of readCommands(text, values)) {
    if (program === 'curl') {
      answer = await call(words);
    } else {
      expectToBeThere(program, words);
    }
  }
  return answer;
}

async function call(words: readonly string[]): Promise<unknown> {
  if (words.includes('-N')) {
    // A stream sends what happens after the cursor.
    const reference = await createOne();
    await readUntil(await runCurl(curlRequest(words), url), /^id: \S+\nevent: next\ndata: \{"data"/m);
    return reference;
  }
  const response = await runCurl(curlRequest(words), url);
  const text = await response.text();
  const answer: unknown = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  const [, cursor] = /"latestEventCursor":"([^"]+)"/.exec(text) ?? [];
  values.CURSOR = cursor ?? values.CURSOR ?? '';
  return answer;
}

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const REMITGRAPH = readFileSync('gateway/cli/remitgraph.mjs', 'utf8');

/** Checks a command that is not run here: it must be one that the product has, or another program's. */
function expectToBeThere(program: string, words: readonly string[]): void {
  const [name = '', ...rest] = words;
  if (program === 'npm') {
    const script = name === 'run' ? String(rest[0]) : name;
    expect([script, script === 'ci' || script === 'install' || script in scripts]).toEqual([script, true]);
    if (script === 'admin') {
      readCommandLine(rest.slice(rest.indexOf('--') + 1));
    }
  } else if (program === 'npx' && name !== 'remitgraph') {
    expect(OTHER_PROGRAMS).toContain(name);
  } else if (program === 'remitgraph' || program === 'npx') {
    const [command = '', ...args] = program === 'npx' ? rest : words;
    expect(REMITGRAPH).toMatch(new RegExp(`^ {2}${command}: \\{`, 'm'));
    if (command === 'admin') {
      readCommandLine(args);
    }
  } else {
    expect(OTHER_PROGRAMS).toContain(program);
  }
}

/** Other programs that pages have a reader run. */
const OTHER_PROGRAMS = ['graphql-codegen', 'mongodump', 'mongorestore', 'sha256sum'];

async function runDocument(query: string): Promise<unknown> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': KEY },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

/** Runs an example. @returns its answer, where it has one */
async function runExample({ language, text }: Example): Promise<unknown> {
  switch (language) {
    case 'sh':
      return runCommands(text);
    case 'graphql':
      if (/^subscription/.test(text)) {
        expect(validate(schema, parse(text))).toEqual([]);
        return undefined;
      }
      return runDocument(text);
    case 'json':
      return JSON.parse(text);
    case 'js':
    case 'ts':
    case 'tsx':
      // Below; typescript.test.ts has the component.
      return undefined;
    case 'promql':
      // test/deploy/observability.test.ts parses them.
      return undefined;
    default:
      expect(language).toBe('text');
      return undefined;
  }
}

/** Whether an answer is an error, in the shape of any surface. */
const hasFailed = (answer: unknown) =>
  /^\{"(?:error|errors|reason|code)":|^\{"success":false|"userErrors":\[\{/.test(
    JSON.stringify(answer) ?? '',
  );

describe.each(PAGES)('%s', (page) => {
  test('its calls answer what it says, and fail only where it says so', async () => {
    const examples = readExamples(page);
    for (const [index, example] of examples.entries()) {
      const answer = await runExample(example);
      const next = examples[index + 1];
      if (next?.language === 'json' && example.language !== 'json' && isBehind(page, example, next)) {
        expect(comparable(answer)).toEqual(comparable(JSON.parse(next.text)));
      } else if (example.language !== 'json') {
        expect([example.text, hasFailed(answer) && answer]).toEqual([example.text, false]);
      }
    }
  });
});

/** Whether one example stands directly behind another, as an answer does. */
function isBehind(page: string, first: Example, second: Example): boolean {
  return readFileSync(page, 'utf8').includes(`${first.text}\`\`\`\n\`\`\`json\n${second.text}`);
}

describe('programs', () => {
  const all: Snippets[] = [];
  const snippetsOf = (page: string) => {
    const snippets = writeSnippets(page, {});
    all.push(snippets);
    return snippets;
  };
  afterAll(() => {
    for (const snippets of all) {
      snippets.remove();
    }
  });

  /** Starts a program of an example, where it finds the product by its name. */
  function start(page: string, name: string, change: (text: string) => string = (text) => text) {
    const { typed, text } = snippetsOf(page);
    const file = typed[0] ?? join('dist', `.snippets-${basename(page)}.mjs`);
    const run = file.replace(/\.ts$/, '.mjs');
    writeFileSync(run, change(text(name)));
    const child = spawn(process.execPath, [run], {
      env: { ...process.env, KEY },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.setEncoding('utf8');
    return child;
  }

  test('the live quickstart lists, then follows', async () => {
    const page = 'gateway/docs/quickstart-live.md';
    const child = start(page, 'ts ', (text) => text.replace('http://localhost:4000', url));
    let output = '';
    let created = '';
    for await (const part of child.stdout) {
      output += part;
      created ||= output.includes('list {') ? await createOne() : '';
      if (created !== '' && output.includes(created)) {
        break;
      }
    }
    child.kill();
    expect(output).toMatch(new RegExp(`^list \\{"latestEventCursor".*\\n(?:.*\\n)*event \\{.*"${created}"`));
  });

  test('the example of a receiver takes what is signed so', async () => {
    const text =
      readExamples('gateway/docs/webhooks.md').find(({ language }) => language === 'js')?.text ?? '';
    const child = start('gateway/docs/webhooks.md', 'js ');
    const said = once(child.stdout, 'data');
    const [code] = await once(child, 'exit');
    const [, shown] = /console\.log\(.*\); \/\/ (.*)$/m.exec(text) ?? [];
    expect([code, String((await said)[0])]).toEqual([0, `${shown}\n`]);
  });

  test('all have the types that they say', () => {
    const typed = PAGES.flatMap((page) => snippetsOf(page).typed);
    expect(checkTypes(typed, 'node')).toEqual([0, '']);
    expect(typed.length).toBeGreaterThan(1);
  });
});

/** Requests that get an error whose entry shows the message. */
const PROVOKED: Readonly<Record<string, unknown>> = {
  ALIAS_LIMIT_EXCEEDED: {
    query: `{ me { ${Array.from({ length: 31 }, (_, index) => `a${index}: id`).join(' ')} } }`,
  },
  BAD_REQUEST: [],
  COST_LIMIT_EXCEEDED: {
    query: '{ requestMonies(first: 100) { nodes { user { links(first: 100) { nodes { id } } } } } }',
  },
  GRAPHQL_PARSE_FAILED: { query: '{ me { id }' },
  OPERATION_RESOLUTION_FAILURE: { query: 'query A { me { id } }', operationName: 'Dashboard' },
  OPERATION_TOO_LARGE: { query: `{ me { ${'id '.repeat(200)} } }` },
  PERSISTED_QUERY_HASH_MISMATCH: { query: '{ me { id } }', documentId: `sha256:${'0'.repeat(64)}` },
  PERSISTED_QUERY_NOT_FOUND: { documentId: `sha256:${'0'.repeat(64)}` },
  ROOT_FIELD_LIMIT_EXCEEDED: {
    query: `{ ${Array.from({ length: 11 }, (_, index) => `a${index}: me { id }`).join(' ')} }`,
  },
  TOKEN_LIMIT_EXCEEDED: { query: `{ me { ${'id '.repeat(2_000)} } }` },
  UNSUPPORTED_OPERATION: { query: 'subscription { requestMoneyStatusChanged { status } }' },
};

test.each(Object.keys(PROVOKED))('the error page shows what %s looks like', async (code) => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': KEY },
    body: JSON.stringify(PROVOKED[code]),
  });
  const { errors } = (await response.json()) as {
    errors: readonly { message: string; extensions: unknown }[];
  };
  // A code of the catalogue is shared with the REST surfaces, and its message says what is wrong with the body.
  const words = GRAPHQL_WORDS[code as keyof typeof GRAPHQL_WORDS];
  expect(errors[0]).toMatchObject({ ...(words && { message: words.message }), extensions: { code } });
});
