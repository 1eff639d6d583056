import type { Config } from '../../subgraphs/kernel/config/load.ts';
import type { WebhookConfig } from '../../subgraphs/webhooks/webhooks.ts';

/** The settings of webhooks. */
export function webhookConfig(config: Config): WebhookConfig {
  const { WEBHOOK_CLIENT_CERT_FILE: certFile, WEBHOOK_CLIENT_KEY_FILE: keyFile } = config;
  return {
    timeoutSeconds: config.WEBHOOK_TIMEOUT_SECONDS,
    retrySeconds: config.WEBHOOK_RETRY_SECONDS,
    maxAttempts: config.WEBHOOK_MAX_ATTEMPTS,
    wake: config.WEBHOOK_NUDGE,
    breaker: config.WEBHOOK_BREAKER,
    retentionDays: config.WEBHOOK_RETENTION_DAYS,
    allowedCidrs: config.WEBHOOK_ALLOWED_CIDRS,
    ...(config.WEBHOOK_CA_FILE === undefined ? {} : { caFile: config.WEBHOOK_CA_FILE }),
    ...(certFile === undefined || keyFile === undefined ? {} : { client: { certFile, keyFile } }),
  };
}
