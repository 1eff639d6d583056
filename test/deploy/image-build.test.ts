/** @only-in-full */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exchangeWith } from '../support/http.ts';
import { queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { startServerProcess } from '../support/server-process.ts';
import { readStages } from './dockerfile.ts';

// Docker is needed for none of this: the commands of the Dockerfile run in a temporary folder, on the Node of this process.

const BUILD_MS = 15 * 60_000;
const [build] = readStages();
const ofImage = Number(/^node:(\d+)-/.exec(build?.image ?? '')?.[1]);
const isNodeOfImage = Number.parseInt(process.versions.node, 10) === ofImage;
const onNodeOfImage = isNodeOfImage ? test : test.skip;
const reason = isNodeOfImage ? '' : ` (skipped: this is not Node ${ofImage}; npm run test:nodes has it)`;

const scene = useScene();
const parent = mkdtempSync(join(tmpdir(), 'remitgraph-image-'));
/** The folder that the image's last stage copies. */
const app = join(parent, 'app');
afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** The files that `COPY . .` copies: those of a clone, as they are now. */
function ownFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  return listed.split('\0').filter((path) => path !== '' && existsSync(path));
}

/** Runs a stage with its folders `/build` and `/app` in another place. */
function runStage(instructions: NonNullable<typeof build>['instructions'], folder: string): void {
  mkdirSync(folder);
  for (const { keyword, text } of instructions) {
    if (keyword === 'COPY') {
      const sources = text.split(/\s+/).slice(0, -1);
      copy(sources.includes('.') ? ownFiles() : sources, folder);
    } else if (keyword === 'RUN') {
      execFileSync('sh', ['-ec', text.replaceAll('/app', app)], {
        cwd: folder,
        env: withoutNpm(),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    }
  }
}

function copy(paths: readonly string[], folder: string): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(path, join(folder, path));
  }
}

/** The variables of a shell that npm has not started. */
function withoutNpm(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_)/.test(name)));
}

/** The package that `npm pack` has left in a folder. */
function packageIn(folder: string): string {
  const [name, ...others] = readdirSync(folder).filter((one) => one.endsWith('.tgz'));
  expect(others).toEqual([]);
  return join(folder, String(name));
}

const digest = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Each file below a folder, with its size and the time of its last change. */
function snapshot(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const { size, mtimeMs } = statSync(join(folder, name));
    return `${name} ${size} ${mtimeMs}`;
  });
}

describe('The build stage of the image', () => {
  const folder = join(parent, 'build');
  beforeAll(() => {
    if (isNodeOfImage) {
      runStage(build?.instructions ?? [], folder);
    }
  }, BUILD_MS);

  onNodeOfImage(`leaves a product that any user can run${reason}`, () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    // Only root can become another user.
    const user = process.getuid?.() === 0 ? { uid: 1_000, gid: 1_000 } : {};
    // Others cannot reach the folder in which npm keeps a Node of root.
    const node = join(parent, 'node');
    cpSync(process.execPath, node);
    chmodSync(parent, 0o755);
    const { stdout, stderr } = spawnSync(node, ['gateway/cli/remitgraph.mjs', '--version'], {
      cwd: app,
      encoding: 'utf8',
      ...user,
    });
    expect([stdout, stderr]).toEqual([`${version}\n`, '']);
  });

  onNodeOfImage(`leaves a product that starts, and writes nothing into its folder${reason}`, async () => {
    const { env } = await scene.deploy();
    const before = snapshot(app);
    expect(before.some((line) => /^dist\/bin\/\w+\/chunk-\w+\.js\.code /.test(line))).toBe(true);
    const server = await startServerProcess(env, [join(app, 'gateway/cli/remitgraph.mjs'), 'start']);
    try {
      expect(await queryGraph(exchangeWith(server.url), '{ me { id } }')).toMatchObject({ status: 200 });
    } finally {
      expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    }
    expect(snapshot(app)).toEqual(before);
  });

  onNodeOfImage(
    `packs the same bytes in another folder, at another time${reason}`,
    () => {
      const other = join(parent, 'another-folder');
      mkdirSync(other);
      copy(ownFiles(), other);
      const env = withoutNpm();
      execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: other, env, stdio: 'pipe' });
      execFileSync('npm', ['pack'], { cwd: other, env, stdio: 'pipe' });
      expect(digest(packageIn(other))).toBe(digest(packageIn(folder)));
    },
    BUILD_MS,
  );
});
