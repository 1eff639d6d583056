import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';

const ANSWER_MS = 60_000;

/**
 * Whether Go is on this machine, and the registry that it takes modules from answers. A test that needs modules is skipped without:
 * only npm is needed to work on this project.
 */
export const hasGo = (): boolean => succeeds('go', ['list', '-m', '-versions', 'golang.org/x/mod']);

/** As {@link hasGo}, for Java, its compiler and Maven. */
export const hasMaven = (): boolean =>
  succeeds('javac', ['--version']) &&
  succeeds('mvn', ['-q', '-B', 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:help']);

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { cwd: tmpdir(), timeout: ANSWER_MS, stdio: 'ignore' }).status === 0;
}
