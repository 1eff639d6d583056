import type { Config } from '../../../subgraphs/kernel/config/load.ts';
import { type CallingTenant, describeRefusedCalls, findRefusedCalls } from '../../app/refused-calls.ts';
import { type Finding, warning, well } from './finding.ts';

/** Names the environments that the deployment serves. */
export function checkEnvironments({ ENVIRONMENTS }: Pick<Config, 'ENVIRONMENTS'>): Finding {
  return well('environments', `This deployment serves ${ENVIRONMENTS.join(' and ')}.`);
}

/** Names the live calls of partners that fail because their provider is not configured. Only production has to have providers. */
export async function checkProviders(
  config: Config,
  readTenants: () => Promise<readonly CallingTenant[]>,
): Promise<Finding[]> {
  const missing = await findRefusedCalls(config, readTenants);
  if (missing.length === 0) {
    const what = config.ENVIRONMENTS.includes('live')
      ? 'Every provider that live calls of the partners need is configured.'
      : 'Live calls are not served, so they need no providers.';
    return [well('providers', what)];
  }
  return missing.map((one) =>
    config.NODE_ENV === 'production'
      ? warning('providers', describeRefusedCalls(one), `Set ${one.setting} before these partners go live.`)
      : well('providers', describeRefusedCalls(one)),
  );
}
