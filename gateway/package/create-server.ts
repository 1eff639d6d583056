import 'reflect-metadata';
import { ConfigError, loadConfig } from '../../subgraphs/kernel/config/load.ts';
import { SETTINGS } from '../../subgraphs/kernel/config/schema.ts';
import { OperatorError } from '../../subgraphs/kernel/errors/operator-error.ts';
import { createLogger } from '../../subgraphs/kernel/log/log.ts';
import { once } from '../../subgraphs/kernel/once.ts';
import { readSupergraphOf } from '../app/read-supergraph.ts';
import { startServer } from '../app/server.ts';
import type * as api from './api.ts';

/** See {@link api.RemitgraphError}. */
export const RemitgraphError: typeof api.RemitgraphError = OperatorError;

/** See {@link api.createServer}. */
export const createServer: typeof api.createServer = async (settings = {}, { log: write } = {}) => {
  const config = loadConfig(toEnvironment(settings));
  if (config.ROLE.startsWith('subgraph-')) {
    // graphql-js abandons rejections in these roles, which Node would end the whole process for.
    const message = 'a subgraph has a process of its own: remitgraph start';
    throw new ConfigError([{ setting: 'ROLE', message }]);
  }
  const log = createLogger(
    write
      ? { level: config.LOG_LEVEL, destination: { write } }
      : { level: 'silent', destination: { write: () => undefined } },
  );
  const server = await startServer(config, await readSupergraphOf(config), log);
  const { url, demoKey, failed } = server;
  return { url, demoKey, failed, close: once(() => server.stop()) };
};

/**
 * The settings as the environment would have them.
 * @throws ConfigError for a name that is no setting: a misspelled one would count as unset
 */
function toEnvironment(settings: api.ServerSettings): Record<string, string> {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  const unknown = given.filter(([name]) => !Object.hasOwn(SETTINGS, name));
  if (unknown.length > 0) {
    throw new ConfigError(unknown.map(([setting]) => ({ setting, message: 'is no setting' })));
  }
  return Object.fromEntries(given.map(([name, value]) => [name, toText(value)]));
}

function toText(value: string | number | boolean | readonly (string | number)[]): string {
  return typeof value === 'object' ? value.join(',') : String(value);
}
