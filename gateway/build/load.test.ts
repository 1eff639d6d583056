/** @only-in-full */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { makeTestProduct, type TestProduct, wordOf } from './testing.ts';

let product: TestProduct;
let built: TestProduct;
beforeAll(async () => {
  built = makeTestProduct();
  await built.run();
});
afterAll(() => built.remove());
beforeEach(() => {
  product = makeTestProduct();
});
afterEach(() => product.remove());

/** Whether V8 used the cached code of a script; undefined if there was none. */
type Taken = boolean | undefined;

/**
 * Runs the program.
 * @returns its word, and whether cached code was used for the module that it shares with the warm-up
 */
async function start(...flags: string[]): Promise<[word: string, taken: Taken]> {
  const spy = join(product.root, 'spy.cjs');
  const shared = JSON.stringify(sharedScript());
  writeFileSync(
    spy,
    `const vm = require('node:vm');
    const { Script } = vm;
    vm.Script = class extends Script {
      constructor(source, options) {
        super(source, options);
        if (options.filename === ${shared}) {
          process.stderr.write(JSON.stringify({ taken: options.cachedData && !this.cachedDataRejected }));
        }
      }
    };`,
  );
  const ran = await product.run([], [...flags, '--require', spy]);
  return [wordOf(ran), JSON.parse(ran.stderr).taken];
}

function sharedScript(): string {
  const [folder = ''] = readdirSync(product.bin()).filter((name) => !name.endsWith('.js'));
  const scripts = readdirSync(product.bin(folder)).filter((name) => /^chunk-.*\.js$/.test(name));
  const shared = scripts.find((name) => /"(one|two)"/.test(readFileSync(product.bin(folder, name), 'utf8')));
  return product.bin(folder, String(shared));
}

const codeOf = (script: string): string => `${script}.code`;

test("should use V8's cached code of the warm-up", async () => {
  product.takeBuild(built);
  expect(await start()).toEqual(['one', true]);
});

test.each<[string, (code: Buffer) => Buffer]>([
  ['in which one byte is another', (code) => code.fill(code.readUInt8(200) ^ 1, 200, 201)],
  ['cut short', (code) => code.subarray(0, code.length - 10)],
  ['of two bytes', (code) => code.subarray(0, 2)],
  ['that is empty', () => Buffer.alloc(0)],
])('should start without code %s', async (_how, damage) => {
  product.takeBuild(built);
  const path = codeOf(sharedScript());
  writeFileSync(path, damage(readFileSync(path)));
  expect(await start()).toEqual(['one', undefined]);
});

test('should not use the cached code of another script of the same length', async () => {
  product.takeBuild(built);
  const path = sharedScript();
  writeFileSync(path, readFileSync(path, 'utf8').replace('"one"', '"two"'));
  expect(await start()).toEqual(['two', undefined]);
});

test('should not use code that was cached with other flags of V8', async () => {
  product.takeBuild(built);
  expect(await start('--no-opt')).toEqual(['one', false]);
});

/** Objects that survive a program's start, which grow the young generation to its maximum. */
const KEEPS = `
  import { getHeapSpaceStatistics } from 'node:v8';
  const kept = [];
  for (let object = 0; object < 1_000_000; object += 1) {
    kept.push({ object });
  }
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  process.stdout.write(JSON.stringify([young.space_size / 2 ** 20, kept.length]));
`;

test('should keep the young generation small while a program starts, and let it grow afterwards', async () => {
  writeFileSync(join(product.root, 'gateway', 'main.ts'), KEEPS);
  const megabytes = async (...flags: string[]) => Number(wordOf(await product.run([], flags)));
  expect(await megabytes()).toBeLessThanOrEqual(8);
  const startIsOver = join(product.root, 'start-is-over.cjs');
  writeFileSync(startIsOver, 'global.setTimeout = (work) => ({ unref: work });');
  expect(await megabytes('--require', startIsOver)).toBeGreaterThan(16);
});

test('should report a failed warm-up, and start without cached code', async () => {
  writeFileSync(
    join(product.root, 'gateway', 'warm-up.ts'),
    `import { WORD } from './word.ts';\nexport const warmedUp = Promise.reject(new Error('Not ' + WORD));\n`,
  );
  const built = await product.run();
  expect(built.stderr).toMatch(/Error: Not one\n(.*\n)*The warm-up has failed, see above/);
  expect(await start()).toEqual(['one', undefined]);
});
