import { type AccountId, environmentOf, partsOf, tenantOf } from '../../../subgraphs/kernel/account.ts';
import { commandLine } from '../../../subgraphs/kernel/command-line.ts';
import type { Result } from '../../../subgraphs/kernel/errors/result.ts';
import { REPLAYABLE } from '../../../subgraphs/webhooks/bulk-replay-model.ts';
import type { EndpointView } from '../../../subgraphs/webhooks/endpoint-view.ts';
import { maskBody } from '../../../subgraphs/webhooks/mask-body.ts';
import { maskCredentials, maskHeaders } from '../../../subgraphs/webhooks/masked-headers.ts';
import { DELIVERY_STATUSES } from '../../../subgraphs/webhooks/model.ts';
import type { Delivery } from '../../../subgraphs/webhooks/present.ts';
import {
  type AdminDeps,
  type Answer,
  type Command,
  existingTenant,
  listOf,
  optionWith,
  requiredText,
  requireKnown,
  TENANT_OPTIONS,
  textOf,
  UsageError,
  type Values,
} from './command.ts';
import { timeOf } from './listing.ts';

/** The option that names an endpoint. */
export const ENDPOINT = optionWith('ID', 'The endpoint: first, or an id of webhooks endpoints.');
const DELIVERY = optionWith('ID', 'The X-Webhook-Delivery-Id.');
const LARGEST_PAGE = 100;

/** Commands for the webhooks of one tenant. They use the same services as GraphQL. */
export const WEBHOOK_COMMANDS: Readonly<Record<string, Command>> = {
  'webhooks endpoints': {
    summary: 'Where the webhooks of a tenant go, and which',
    options: { ...TENANT_OPTIONS },
    required: ['tenant'],
    examples: ['webhooks endpoints --tenant acme'],
    run: listEndpoints,
  },
  'webhooks health': {
    summary: 'How the endpoints of a tenant did in the last hour, and what waits for them',
    options: { ...TENANT_OPTIONS },
    required: ['tenant'],
    examples: ['webhooks health --tenant acme --json'],
    run: showHealth,
  },
  'webhooks pause': {
    isAct: true,
    summary: 'Keep what is due for an endpoint until it is resumed',
    options: { ...TENANT_OPTIONS, endpoint: ENDPOINT },
    required: ['tenant', 'endpoint'],
    examples: ['webhooks pause --tenant acme --endpoint first'],
    run: (deps, values) => hold(deps, values, 'pause'),
  },
  'webhooks resume': {
    isAct: true,
    summary: 'Send what was kept for an endpoint, longest due first',
    options: { ...TENANT_OPTIONS, endpoint: ENDPOINT },
    required: ['tenant', 'endpoint'],
    examples: ['webhooks resume --tenant acme --endpoint first'],
    run: (deps, values) => hold(deps, values, 'resume'),
  },
  'webhooks list': {
    summary: 'The newest webhooks of a tenant, without what they say',
    options: {
      ...TENANT_OPTIONS,
      status: optionWith('a,b', `Of ${DELIVERY_STATUSES.join(', ')}; by default all.`),
      event: optionWith('NAME', 'Of this event; by default all.'),
      limit: optionWith('N', `At most, 1 to ${LARGEST_PAGE}; by default 20.`),
    },
    required: ['tenant'],
    examples: ['webhooks list --tenant acme --status DEAD_LETTERED --limit 50'],
    run: listDeliveries,
  },
  'webhooks show': {
    summary: 'One webhook and its attempts, people and answers masked',
    options: { ...TENANT_OPTIONS, id: DELIVERY },
    required: ['tenant', 'id'],
    examples: ['webhooks show --tenant acme --id 0190b2f4-6d0e-7c3a-9d52-4a1f0c9e7b11'],
    run: showDelivery,
  },
  'webhooks replay': {
    isAct: true,
    summary: 'Send webhooks again that are over: one, or in the background all that match',
    options: {
      ...TENANT_OPTIONS,
      id: optionWith('ID', 'Only this one; instead of all other options.'),
      status: optionWith('a,b', `Of ${REPLAYABLE.join(', ')}; by default DEAD_LETTERED.`),
      event: optionWith('NAME', 'Of this event.'),
      endpoint: optionWith('ID', 'To the present URL of this endpoint.'),
      'to-current-url': {
        type: 'boolean',
        meaning:
          'To the URL that the endpoint has now: with --endpoint, those made for its former URLs, also waiting ones.',
      },
      since: optionWith('TIME', 'Of events at this time or later, such as 2026-11-21T08:00:00Z.'),
      until: optionWith('TIME', 'Of events before this time; by default now.'),
      limit: optionWith('N', 'At most, oldest first, 1 to 100000; by default 10000.'),
      'dry-run': { type: 'boolean', meaning: 'Count only.' },
    },
    required: ['tenant'],
    examples: [
      'webhooks replay --tenant acme --status DEAD_LETTERED --since 2026-11-21T08:00:00Z --dry-run',
      'webhooks replay --tenant acme --endpoint first --limit 500',
      'webhooks replay --tenant acme --endpoint first --to-current-url',
    ],
    run: replay,
  },
  'webhooks replays': {
    summary: 'The 20 newest replays of many, and how far they are',
    options: { ...TENANT_OPTIONS },
    required: ['tenant'],
    examples: ['webhooks replays --tenant acme'],
    run: async (deps, values) => {
      const { accountId } = await existingTenant(deps.tenants, values, 'tenant');
      return { rows: (await deps.webhooks.replays.list(accountId)).map(toRow) };
    },
  },
  'webhooks stop': {
    isAct: true,
    summary: 'Stop a replay of many',
    options: { ...TENANT_OPTIONS, id: optionWith('ID', 'The replay.') },
    required: ['tenant', 'id'],
    examples: ['webhooks stop --tenant acme --id wr_…'],
    run: async (deps, values) => {
      const { accountId } = await existingTenant(deps.tenants, values, 'tenant');
      const stopped = orUsage(await deps.webhooks.replays.stop(accountId, requiredText(values, 'id')));
      const act = { ...partsOf(accountId), subject: stopped.id, after: { state: stopped.state } };
      return { rows: [toRow(stopped)], act, note: 'Webhooks that were queued already are still sent.' };
    },
  },
};

/** @throws UsageError with the message of the failure */
export function orUsage<T>(result: Result<T>): T {
  if (!result.ok) {
    throw new UsageError(result.failures.map(({ message }) => message).join(' '));
  }
  return result.value;
}

/** Without fields that have no value. */
function toRow(object: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

/** An endpoint without its secrets. */
export function endpointRow({ url, events, formerSecretsUntil, headerNames, ...endpoint }: EndpointView) {
  const { id, signatureScheme, secretPreview, createdAt } = endpoint;
  const until = formerSecretsUntil.map((end) => end.toISOString());
  return toRow({
    id,
    url: maskCredentials(url),
    events: events ?? 'all',
    signatureScheme,
    secretPreview,
    createdAt,
    ...(until.length > 0 && { formerSecretsUntil: until }),
    ...(headerNames.length > 0 && { headerNames }),
  });
}

async function listEndpoints({ tenants, webhooks }: AdminDeps, values: Values): Promise<Answer> {
  const { accountId } = await existingTenant(tenants, values, 'tenant');
  return { rows: (await webhooks.endpoints.list(accountId)).map(endpointRow) };
}

async function showHealth(deps: AdminDeps, values: Values): Promise<Answer> {
  const { accountId } = await existingTenant(deps.tenants, values, 'tenant');
  return { rows: await healthRows(deps, accountId, await deps.webhooks.endpoints.list(accountId)) };
}

async function healthRows({ webhooks }: AdminDeps, accountId: AccountId, views: readonly EndpointView[]) {
  const reports = await webhooks.endpoints.report(accountId, views);
  return reports.map(({ health, pending, oldestDueAt }, index) =>
    toRow({
      id: views[index]?.id,
      url: maskCredentials(views[index]?.url ?? ''),
      breaker: health?.breaker.state ?? 'CLOSED',
      pausedAt: health?.pausedAt ?? null,
      successRate: health?.successRate ?? null,
      p50Ms: health?.p50Ms ?? null,
      p95Ms: health?.p95Ms ?? null,
      lastError: health?.lastError?.errorClass ?? null,
      lastErrorAt: health?.lastError?.at ?? null,
      lastSuccessAt: health?.lastSuccessAt ?? null,
      pending,
      oldestDueAt,
    }),
  );
}

async function hold(deps: AdminDeps, values: Values, how: 'pause' | 'resume'): Promise<Answer> {
  const { accountId } = await existingTenant(deps.tenants, values, 'tenant');
  const id = requiredText(values, 'endpoint');
  const { endpoints } = deps.webhooks;
  const views = (await endpoints.list(accountId)).filter((view) => view.id === id);
  const [before] = await endpoints.report(accountId, views);
  const held = orUsage(await endpoints[how](accountId, id));
  const [after] = await endpoints.report(accountId, [held]);
  const [was, is] = [before, after].map((report) => ({ pausedAt: report?.health?.pausedAt ?? null }));
  const act = { ...partsOf(accountId), subject: id, ...(was && { before: was }), ...(is && { after: is }) };
  return {
    rows: await healthRows(deps, accountId, [held]),
    ...(was?.pausedAt?.getTime() !== is?.pausedAt?.getTime() && { act }),
    note: 'In force everywhere within 2 seconds.',
  };
}

async function listDeliveries({ tenants, webhooks }: AdminDeps, values: Values): Promise<Answer> {
  const { accountId } = await existingTenant(tenants, values, 'tenant');
  const chosen = listOf(values, 'status');
  requireKnown('status', chosen, DELIVERY_STATUSES);
  const status = DELIVERY_STATUSES.filter((one) => !chosen || chosen.includes(one));
  const event = textOf(values, 'event');
  const first = numberOf(values, 'limit') ?? 20;
  if (first < 1 || first > LARGEST_PAGE) {
    throw new UsageError(`--limit takes 1 to ${LARGEST_PAGE}.`);
  }
  const listing = { status, ...(event === undefined ? {} : { event }), direction: 'desc' } as const;
  const found = await webhooks.deliveries.list(accountId, listing, { first });
  return { rows: found.nodes.map(deliveryRow) };
}

/** Without its body, and without the credentials in its URLs. */
function deliveryRow({ body: _body, scheme: _scheme, signing: _signing, ...shown }: Delivery) {
  const { url, currentUrl, formerUrls } = shown;
  return toRow({
    ...shown,
    url: maskCredentials(url),
    currentUrl: currentUrl && maskCredentials(currentUrl),
    formerUrls:
      formerUrls.length === 0
        ? null
        : formerUrls.map((former) => `${maskCredentials(former.url)} until ${former.until.toISOString()}`),
  });
}

async function showDelivery({ tenants, webhooks }: AdminDeps, values: Values): Promise<Answer> {
  const { accountId } = await existingTenant(tenants, values, 'tenant');
  const id = requiredText(values, 'id');
  const delivery = (await webhooks.deliveries.findByIds(accountId, [id])).get(id);
  if (!delivery) {
    throw new UsageError(
      `The tenant ${tenantOf(accountId)} has no webhook ${id} in its ${environmentOf(accountId)} environment.`,
    );
  }
  const attempts = (await webhooks.deliveries.attempts(accountId, [id])).get(id) ?? [];
  const { body } = delivery;
  return {
    rows: [
      { ...deliveryRow(delivery), body: maskBody(body), bodyBytes: Buffer.byteLength(body) },
      ...attempts.map(({ answer, timing, signedAt, ...attempt }) =>
        toRow({
          ...attempt,
          ...timing,
          headers: maskHeaders(delivery, signedAt),
          answerBytes: Buffer.byteLength(answer),
        }),
      ),
    ],
  };
}

async function replay(deps: AdminDeps, values: Values): Promise<Answer> {
  const { accountId } = await existingTenant(deps.tenants, values, 'tenant');
  const { deliveries, replays } = deps.webhooks;
  const { id, tenant: _tenant, 'to-current-url': isToCurrent, ...others } = values;
  if (typeof id === 'string') {
    const [other] = Object.keys(others);
    if (other !== undefined) {
      throw new UsageError(`--id is one webhook: leave --${other} out.`);
    }
    const to = isToCurrent === true ? 'current' : 'stored';
    const rows = [deliveryRow(orUsage(await deliveries.replay(accountId, id, to)))];
    return { rows, act: { ...partsOf(accountId), subject: id }, note: 'Due now.' };
  }
  const filter = await filterOf(deps, accountId, values);
  if (values['dry-run'] === true) {
    return { rows: [{ found: orUsage(await replays.count(accountId, filter)) }], note: 'Nothing is sent.' };
  }
  const started = orUsage(await replays.start(accountId, filter));
  const named = `--tenant ${tenantOf(accountId)} --${environmentOf(accountId)}`;
  return {
    rows: [toRow(started)],
    act: { ...partsOf(accountId), subject: started.id, after: toRow(started) },
    note: 'A running server does it in the background.',
    next: [
      commandLine('admin', `webhooks replays ${named}`),
      commandLine('admin', `webhooks stop ${named} --id ${started.id}`),
    ],
  };
}

async function filterOf({ webhooks }: AdminDeps, accountId: AccountId, values: Values) {
  const chosen = listOf(values, 'status');
  requireKnown('status', chosen, REPLAYABLE);
  const endpointId = textOf(values, 'endpoint');
  const isToCurrent = values['to-current-url'] === true;
  if (isToCurrent && endpointId === undefined) {
    throw new UsageError('--to-current-url needs --endpoint, or --id.');
  }
  const endpoint =
    endpointId === undefined ? undefined : orUsage(await webhooks.endpoints.find(accountId, endpointId));
  return {
    status: chosen && REPLAYABLE.filter((one) => chosen.includes(one)),
    event: textOf(values, 'event'),
    ...(isToCurrent ? { toCurrentUrlOf: endpoint?.id } : { endpoint: endpoint?.endpoint }),
    from: timeOf(values, 'since'),
    before: timeOf(values, 'until'),
    limit: numberOf(values, 'limit'),
  };
}

function numberOf(values: Values, name: string): number | undefined {
  const text = textOf(values, name);
  if (text !== undefined && !/^\d{1,9}$/.test(text)) {
    throw new UsageError(`--${name} takes a number.`);
  }
  return text === undefined ? undefined : Number(text);
}
