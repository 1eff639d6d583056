import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../subgraphs/kernel/project-root.ts';
import { countLicenses, findUnaccepted, formatLicenses, readThirdPartyPackages } from './licenses.ts';

const FILE = 'THIRD_PARTY_LICENSES';

/**
 * `npm run licenses` writes THIRD_PARTY_LICENSES and prints how many packages have each licence. It fails, and writes nothing, if
 * a package has a licence that is not accepted. `--check` writes nothing, and fails too if the file is out of date.
 */
function main(check: boolean): number {
  const path = join(projectRoot(), FILE);
  const packages = readThirdPartyPackages(projectRoot());
  const unaccepted = findUnaccepted(packages);
  if (unaccepted.length > 0) {
    process.stderr.write(`These licences are not accepted:\n  ${unaccepted.join('\n  ')}\n`);
    return 1;
  }
  const text = formatLicenses(packages);
  if (check && readFileSync(path, 'utf8') !== text) {
    process.stderr.write(`${FILE} is out of date. Run npm run licenses.\n`);
    return 1;
  }
  if (!check) {
    writeFileSync(path, text);
  }
  const counts = countLicenses(packages).map(([license, count]) => `${license}: ${count}\n`);
  process.stdout.write(counts.join(''));
  return 0;
}

process.exitCode = main(process.argv.includes('--check'));
