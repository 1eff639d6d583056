import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { divideTests } from './projects.ts';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) {
    rmSync(folder, { recursive: true });
  }
});

/** @returns the root of a project below `parent` with these files */
function write(parent: string, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-projects-'));
  folders.push(folder);
  const root = join(folder, parent);
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return root;
}

// Put together here, or this file would be of the project `process` itself.
const MODULE = 'node:child_process';
const PROGRAM = `import { spawn } from '${MODULE}';\n`;
const STORE = `export const URI = process.env.${['TEST', 'MONGODB', 'URI'].join('_')} ?? '';\n`;

test.each(['home', 'test', join('testing', 'copies')])(
  'by the modules that they reach, below a folder %s',
  (parent) => {
    const root = write(parent, {
      'product/run.ts': PROGRAM,
      'product/database.ts': STORE,
      'product/uses.ts': "export {\n  URI,\n} from './database.ts';\n",
      'product/testing/start.ts': PROGRAM,
      'product/types.ts': `${PROGRAM}${STORE}`,
      'product/plain.test.ts': "import { run } from './run.ts';\nimport type { A } from './types.ts';\n",
      'product/said.test.ts': '/** @starts-processes */\n',
      'product/helped.test.ts': "import { start } from './testing/start.ts';\n",
      'product/itself.test.ts': PROGRAM,
      'product/whole.test.ts': '/** @only-in-full */\n',
      'product/stored.test.ts': "import { URI } from './uses.ts';\n",
      'product/later.test.ts': "const uses = await import('./uses.ts');\n",
    });
    const names = (paths: readonly string[]) =>
      paths.map((path) => path.replace(join(root, 'product/'), '').replace('.test.ts', ''));
    const divided = Object.entries(divideTests(root, ['product']));
    expect(Object.fromEntries(divided.map(([project, paths]) => [project, names(paths)]))).toEqual({
      unit: ['plain'],
      store: ['later', 'stored'],
      process: ['helped', 'itself', 'said'],
      full: ['whole'],
    });
  },
);
