import type { Config } from '../../../subgraphs/kernel/config/load.ts';
import { missingProviders, URL_SETTINGS } from '../../../subgraphs/providers/configured.ts';
import { type Finding, warning, well } from './finding.ts';

/** Names the providers that live calls need and that are not configured. Only production has to have them. */
export function checkProviders(config: Config): Finding {
  const missing = missingProviders(config, 'live').map((name) => URL_SETTINGS[name].live);
  if (missing.length === 0) {
    return well('providers', 'Every provider that live calls need is configured.');
  }
  const what = `Live calls fail with 503 where they need a provider that is not set: ${missing.join(', ')}. Sandbox calls work.`;
  return config.NODE_ENV === 'production'
    ? warning('providers', what, 'Set the addresses of the providers before a partner goes live.')
    : well('providers', what);
}
