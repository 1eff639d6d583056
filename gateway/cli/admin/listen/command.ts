import { commandLine } from '../../../../subgraphs/kernel/command-line.ts';
import type { Tenant } from '../../../../subgraphs/partners/tenants/service.ts';
import {
  type AdminDeps,
  type Answer,
  type Command,
  existingTenant,
  optionWith,
  requiredText,
  textOf,
  UsageError,
  type Values,
} from '../command.ts';
import { readTarget } from './target.ts';

export const LISTEN_COMMANDS: Readonly<Record<string, Command>> = {
  listen: {
    summary: "Show a sandbox tenant's webhooks as they come, and forward them to this machine",
    options: {
      forward: optionWith('URL', 'Where to; of localhost, 127.0.0.1 or [::1].'),
      tenant: optionWith('ID', 'The tenant; one that never had a live key.'),
      after: optionWith('CURSOR', 'Begin after it; by default where the last run stopped, at first now.'),
      'any-host': { type: 'boolean', meaning: 'Let --forward lead to another machine.' },
    },
    required: ['forward', 'tenant'],
    examples: ['listen --forward http://localhost:3000/hook --tenant acme'],
    run: runListen,
  },
};

async function runListen(deps: AdminDeps, values: Values): Promise<Answer> {
  const forward = readTarget(requiredText(values, 'forward'), values['any-host'] === true);
  const tenant = await existingTenant(deps.tenants, values, 'tenant');
  const requireSandbox = () => requireSandboxKeys(deps, tenant);
  await requireSandbox();
  requireWebhooks(tenant);
  const { tenantId } = tenant;
  const listened = await deps.listen({ tenantId, forward, after: textOf(values, 'after'), requireSandbox });
  return { rows: [{ ...listened }], note: 'Stopped.' };
}

/**
 * A live partner's webhooks name real users, which do not belong on a developer's machine. A key that has ended counts too:
 * webhooks of its calls may still be sent again. A key without a known environment may be live.
 * @throws UsageError that names the key
 */
async function requireSandboxKeys({ apiKeys }: AdminDeps, { tenantId }: Tenant): Promise<void> {
  const keys = await apiKeys.list(tenantId);
  const live = keys.find((key) => key.environment !== 'sandbox');
  if (live) {
    throw new UsageError(
      `${tenantId} has, or had, a key that is not a sandbox key, ${live.keyId}. Only a sandbox tenant's webhooks are forwarded.`,
    );
  }
}

const ANY_WEBHOOK = '--webhook-url https://listen.invalid/hook --webhook-secret SECRET';

/** Nothing is stored for a tenant without a URL (document 2, "Delivery rules" 7). */
function requireWebhooks({ tenantId, webhookUrl, operationStatusHook }: Tenant): void {
  if (!webhookUrl && !operationStatusHook) {
    throw new UsageError(
      `${tenantId} has no webhook URL, so no webhooks are made. Any will do, such as one that leads nowhere: ` +
        commandLine('admin', `tenant update --id ${tenantId} ${ANY_WEBHOOK}`),
    );
  }
}
