/** @only-in-full */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { portOf } from '../../gateway/http/port-of.ts';
import { PARTNER_SCOPES } from '../../subgraphs/kernel/principal.ts';
import { DEMO_SEED } from '../../subgraphs/partners/tenants/demo.ts';
import { exchangeWith } from '../support/http.ts';
import { moneyRequestBody, newReference } from '../support/money-requests.ts';
import {
  commandsFor,
  exampleOf,
  folderWithClone,
  generatePython,
  generateTypeScript,
  hasPython,
  PYTHON_README,
  runShell,
  TYPESCRIPT_README,
} from '../support/rest-clients/generate.ts';
import { useScene } from '../support/scene.ts';
import { checkTypes } from '../support/snippets.ts';

// The recipes and examples of the clients' READMEs, as they are printed there.

const KEY = 'raas_sandbox_of_the_documentation';
const scene = useScene();
let url: string;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  const [demo] = DEMO_SEED.tenants ?? [];
  const apiKeys = [{ key: KEY, scopes: [...PARTNER_SCOPES], label: 'demo' }];
  const deployment = await scene.deploy({ tenants: [{ ...demo, apiKeys }], processes: true });
  url = (await deployment.start()).url;
  env = deployment.env;
});

/** A script that prints the results of the three functions of the examples. */
const TYPESCRIPT_CALLS = `
const created = await ask('%');
const unknown = (await statusOf('unknown1')) ?? null;
console.log(JSON.stringify([created, await statusOf('%'), unknown, await amountsSent()]));
`;
const PYTHON_CALLS = `
import json
from use import amounts_sent, ask, status_of
created = ask('%')
print(json.dumps([created, status_of('%'), status_of('unknown1'), [str(one) for one in amounts_sent()]]))
`;

/** The results of the examples: the link for the payer, the statuses of the request and of an unknown one, and the amounts. */
const RESULTS = [
  expect.stringMatching(/^https:\/\/widget\.demo\.test\/fund\//),
  'pending',
  null,
  expect.any(Array),
];

/** Creates an operation whose amount ends with a zero, which a floating-point number does not keep. */
async function createOperation(): Promise<void> {
  const referenceId = newReference();
  const body = JSON.stringify(moneyRequestBody(referenceId)).replace('1500.5,', '1500.50,');
  expect(await post('/v1/request-money', body)).toBe(201);
  expect(await post(`/v1/sandbox/request-money/${referenceId}/status`, '{"status":"completed"}')).toBe(200);
}

/** @returns the status of the answer */
async function post(path: string, body: string): Promise<number> {
  const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
  return (await exchangeWith(url)({ method: 'POST', path, headers, body })).status;
}

test('the example of TypeScript has the types that it says, and does what it says', async () => {
  const { folder, remove } = await generateTypeScript(url);
  try {
    const example = exampleOf(TYPESCRIPT_README, 'use');
    writeFileSync(join(folder, 'src', 'use.ts'), example);
    expect(checkTypes([join(folder, 'src', 'use.ts')], 'node')).toEqual([0, '']);
    const wrong = example.replace("amount: '1500.50'", 'amount: 1500.5');
    writeFileSync(join(folder, 'src', 'wrong.ts'), wrong);
    expect(checkTypes([join(folder, 'src', 'wrong.ts')], 'node')[0]).not.toBe(0);
    await createOperation();
    const calls = TYPESCRIPT_CALLS.replaceAll('%', newReference());
    const stdin = { contents: example + calls, resolveDir: join(folder, 'src'), loader: 'ts' } as const;
    const outfile = join(folder, 'use.mjs');
    await build({ stdin, outfile, bundle: true, format: 'esm', platform: 'node', packages: 'external' });
    const output = await runShell('node use.mjs', folder, { KEY, REMITGRAPH_URL: url });
    expect(JSON.parse(output)).toEqual(RESULTS);
    expect(output).toContain('"1500.50"');
  } finally {
    remove();
  }
});

const describePython = (await hasPython()) ? describe : describe.skip;
describePython('Python', () => {
  test('the example does what it says, and the tests of the layer pass', async () => {
    const { folder, remove } = await generatePython(url);
    try {
      writeFileSync(join(folder, 'use.py'), exampleOf(PYTHON_README, 'use'));
      writeFileSync(join(folder, 'calls.py'), PYTHON_CALLS.replaceAll('%', newReference()));
      await createOperation();
      const output = await runShell('.venv/bin/python calls.py', folder, { KEY, REMITGRAPH_URL: url });
      expect(JSON.parse(output)).toEqual(RESULTS);
      expect(output).toContain('"1500.50"');
      const path = `${join(folder, '.venv', 'bin')}:${process.env.PATH}`;
      const tests = exampleOf(PYTHON_README, 'tests');
      await runShell(`(${tests}) 2>&1`, resolve('.'), { PATH: path, PYTHONDONTWRITEBYTECODE: '1' });
    } finally {
      remove();
    }
  });

  test('a partner comes from nothing to a verified webhook with 15 commands at most, in minutes', async () => {
    const printed = [exampleOf(PYTHON_README, 'server'), exampleOf(PYTHON_README, 'hour')];
    expect(printed.join('').trim().split('\n').length).toBeLessThanOrEqual(15);
    const { folder, remove } = folderWithClone();
    try {
      // The server of the first terminal runs.
      const port = await freePort();
      const script = commandsFor(url, String(printed[1])).replaceAll(':8765', `:${port}`);
      writeFileSync(join(folder, 'hour.sh'), script);
      const began = Date.now();
      const own = { KEY, REMITGRAPH_URL: url, PORT: port };
      const output = await runShell('exec bash -e hour.sh', folder, { ...env, ...own });
      expect(output).toMatch(/^Verified webhook operation_updated: \w{8} is completed, 1500\.50 MXN$/m);
      expect((Date.now() - began) / 60_000).toBeLessThan(10);
    } finally {
      remove();
    }
  });
});

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const port = portOf(server);
  await new Promise((closed) => server.close(closed));
  return String(port);
}
