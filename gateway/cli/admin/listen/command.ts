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
    summary: "Show the webhooks of a tenant's sandbox as they come, and forward them to this machine",
    options: {
      forward: optionWith('URL', 'Where to; of localhost, 127.0.0.1 or [::1].'),
      tenant: optionWith('ID', 'The tenant; only webhooks of its sandbox are forwarded.'),
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
  const tenant = await existingTenant(deps.tenants, { ...values, sandbox: true }, 'tenant');
  requireWebhooks(tenant);
  const { accountId } = tenant;
  const listened = await deps.listen({ accountId, forward, after: textOf(values, 'after') });
  return { rows: [{ ...listened }], note: 'Stopped.' };
}

const ANY_WEBHOOK = '--webhook-url https://listen.invalid/hook --webhook-secret SECRET';

/** Nothing is stored for a tenant without a URL (document 2, "Delivery rules" 7). */
function requireWebhooks({ tenantId, webhookUrl, operationStatusHook }: Tenant): void {
  if (!webhookUrl && !operationStatusHook) {
    throw new UsageError(
      `${tenantId} has no webhook URL in the sandbox, so no webhooks are made. Any will do, such as one that leads nowhere: ` +
        commandLine('admin', `tenant update --id ${tenantId} --sandbox ${ANY_WEBHOOK}`),
    );
  }
}
