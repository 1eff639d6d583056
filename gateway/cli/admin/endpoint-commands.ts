import { z } from 'zod';
import { partsOf } from '../../../subgraphs/kernel/account.ts';
import { withoutUndefined } from '../../../subgraphs/kernel/objects.ts';
import { FIRST } from '../../../subgraphs/partners/tenants/endpoint-store.ts';
import {
  SIGNATURE_SCHEMES,
  type SignatureScheme,
} from '../../../subgraphs/partners/tenants/signature-scheme.ts';
import type { StaticHeader } from '../../../subgraphs/partners/tenants/static-headers.ts';
import { headerIssues } from '../../../subgraphs/webhooks/endpoint-rules.ts';
import {
  type AdminDeps,
  type Answer,
  type Command,
  existingTenant,
  optionWith,
  requiredText,
  requireKnown,
  TENANT_OPTIONS,
  textOf,
  UsageError,
  type Values,
} from './command.ts';
import { jsonOf } from './tenant-settings.ts';
import { ENDPOINT, endpointRow, orUsage } from './webhook-commands.ts';

/** Changes an endpoint as its partner can by GraphQL. */
export const ENDPOINT_COMMANDS: Readonly<Record<string, Command>> = {
  'webhooks configure': {
    isAct: true,
    summary: "Set how an endpoint's new webhooks are signed, and the partner's own headers that they have",
    options: {
      ...TENANT_OPTIONS,
      endpoint: ENDPOINT,
      'signature-scheme': optionWith('SCHEME', `${SIGNATURE_SCHEMES.join(', ')}; "" for DOCUMENTED.`),
      headers: optionWith(
        'FILE',
        'JSON file of the only headers from now on, [{"name": "…", "value": "…"}]; "" for none.',
      ),
    },
    required: ['tenant', 'endpoint'],
    examples: [
      'webhooks configure --tenant acme --endpoint first --signature-scheme STANDARD_WEBHOOKS',
      'webhooks configure --tenant acme --live --endpoint we_… --headers headers.json',
    ],
    run: configure,
  },
};

async function configure({ tenants, webhooks }: AdminDeps, values: Values): Promise<Answer> {
  const { accountId } = await existingTenant(tenants, values, 'tenant');
  const id = requiredText(values, 'endpoint');
  const change = withoutUndefined({ signatureScheme: schemeOf(values), headers: headersOf(values) });
  if (Object.keys(change).length === 0) {
    throw new UsageError('Give --signature-scheme, --headers or both.');
  }
  const before = orUsage(await webhooks.endpoints.find(accountId, id));
  const changed =
    id === FIRST
      ? await tenants.changeWebhooks(accountId, change)
      : await webhooks.endpoints.update(accountId, id, change);
  if (!changed) {
    throw new UsageError('There is no such tenant any more.');
  }
  orUsage<unknown>(changed);
  const after = orUsage(await webhooks.endpoints.find(accountId, id));
  const [was, is] = [before, after].map(({ signatureScheme, headerNames }) => ({
    signatureScheme,
    headerNames,
  }));
  return {
    rows: [endpointRow(after)],
    act: {
      ...partsOf(accountId),
      subject: id,
      before: { ...was },
      after: { ...is, ...(change.headers && { changedSecrets: ['headers'] }) },
    },
    note: 'For webhooks that are stored from now on; in force everywhere within 2 seconds.',
  };
}

/** An empty text is the default. @throws UsageError for an unknown scheme */
function schemeOf(values: Values): SignatureScheme | undefined {
  const given = textOf(values, 'signature-scheme');
  requireKnown('signature-scheme', given ? [given] : [], SIGNATURE_SCHEMES);
  return given === '' ? 'DOCUMENTED' : SIGNATURE_SCHEMES.find((one) => one === given);
}

const headersSchema = z.array(z.strictObject({ name: z.string(), value: z.string() }));

/** An empty path is no header. @throws UsageError for headers that an endpoint cannot have; it names no value */
function headersOf(values: Values): readonly StaticHeader[] | undefined {
  const given = jsonOf(values, 'headers');
  if (given === undefined || given === '') {
    return given === undefined ? given : [];
  }
  const { data, success } = headersSchema.safeParse(given);
  if (!success) {
    throw new UsageError('--headers: the file must have a list of objects with name and value.');
  }
  const issues = headerIssues(data);
  if (issues.length > 0) {
    throw new UsageError(issues.map((issue) => `--headers ${issue}.`).join(' '));
  }
  return data;
}
