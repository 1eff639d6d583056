import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  cookieOf,
  exchangeCode,
  makeLink,
  CONSOLE_ORIGIN as ORIGIN,
  PAGE,
} from '../support/console-session.ts';
import { type Exchange, injectInto } from '../support/http.ts';
import { queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { buildTestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const KEY = 'raas_sandbox_wary_full_0001';
const WARY = {
  ...{ tenantId: 'wary', name: 'Wary Pay', webhookUrl: 'https://127.0.0.1:9/hook' },
  ...{ webhookSecret: 'whsec_wary_0001', fourEyes: ['ROTATE_SECRET', 'CHANGE_WEBHOOK_URL'] },
  apiKeys: [{ key: KEY, scopes: ['partner', 'partner_full', 'partner_admin'], label: 'server' }],
};
const PENDING =
  'pendingApproval { id status acts operation requestedBy input { name value } } userErrors { code message }';
const CREATE_KEY = `mutation Ask { createApiKey(input: { scopes: ["partner"], label: "new" }) { key ${PENDING} } }`;
const MOVE = `mutation Move($input: UpdateWebhookConfigInput!) { updateWebhookConfig(input: $input) {
  webhookConfig { webhookUrl } ${PENDING}
} }`;
const APPROVE = `mutation Approve($input: ApprovalInput!) { approve(input: $input) {
  approval { id status decidedBy } key webhookSecret userErrors { code }
} }`;
const LOG = `query ($subject: ID!) { requestLog(where: { subject: $subject }) { nodes { operation actor isMutation } } }`;

const scene = useScene();
let exchange: Exchange;
beforeAll(async () => {
  const { env } = await scene.deploy({ env: { PUBLIC_URL: `${ORIGIN}/` }, tenants: [WARY] });
  const target = await buildTestApp(env);
  scene.atEnd(target.close);
  exchange = injectInto(target.app);
});

async function signInAs(label: string, access: 'READ' | 'ADMIN' = 'ADMIN') {
  const { code } = await makeLink(exchange, KEY, { access, label });
  const cookie = cookieOf(await exchangeCode(exchange, code));
  return async (query: string, variables: object = {}) => {
    const { text } = await exchange({
      ...{ method: 'POST', path: '/graphql' },
      headers: { ...PAGE, cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    return JSON.parse(text);
  };
}
const askWithKey = (query: string, variables: object = {}) =>
  queryGraph<Record<string, unknown>>(exchange, query, { ...variables }, KEY);

describe('A partner that asks for four eyes', () => {
  test('has the acts that it asked for, and new keys with them', async () => {
    const { data } = await askWithKey('{ me { fourEyes } }');
    expect(data).toEqual({ me: { fourEyes: ['ROTATE_SECRET', 'CREATE_KEY', 'CHANGE_WEBHOOK_URL'] } });
  });

  test('gets a key when an administrator who is another person approves; the log has both', async () => {
    const [ana, bea] = [await signInAs('Ana'), await signInAs('Bea')];
    const asked = (await ana(CREATE_KEY)).data.createApiKey;
    expect(asked).toMatchObject({
      key: null,
      userErrors: [],
      pendingApproval: {
        ...{ status: 'PENDING', acts: ['CREATE_KEY'], operation: 'createApiKey', requestedBy: 'Ana' },
        input: [
          { name: 'scopes', value: 'partner' },
          { name: 'label', value: 'new' },
        ],
      },
    });
    const { id } = asked.pendingApproval;
    const refused = await ana(APPROVE, { input: { id } });
    expect(refused.data.approve).toMatchObject({ key: null, userErrors: [{ code: 'APPROVAL_REFUSED' }] });
    const approved = (await bea(APPROVE, { input: { id } })).data.approve;
    expect(approved.approval).toEqual({ id, status: 'APPROVED', decidedBy: 'Bea' });
    expect((await queryGraph(exchange, '{ me { scopes } }', {}, approved.key)).data).toEqual({
      me: { scopes: ['partner'] },
    });
    const entries = async () => {
      const { data } = await queryGraph<{ requestLog: { nodes: { operation: string; actor: string }[] } }>(
        exchange,
        LOG,
        { subject: id },
        KEY,
      );
      return data?.requestLog.nodes.map(({ operation, actor }) => `${operation} ${actor}`).toSorted() ?? [];
    };
    await until('the entries', async () => (await entries()).length === 3);
    expect(await entries()).toEqual(['Approve Ana', 'Approve Bea', 'Ask Ana']);
  });

  test('changes its URL only after an approval, and its events without one', async () => {
    const [ana, bea] = [await signInAs('Ana'), await signInAs('Bea')];
    const events = { input: { webhookEvents: ['operation_error'] } };
    expect((await ana(MOVE, events)).data.updateWebhookConfig.pendingApproval).toBeNull();
    const moved = { input: { webhookUrl: 'https://127.0.0.1:9/moved' } };
    const { id } = (await ana(MOVE, moved)).data.updateWebhookConfig.pendingApproval;
    const config = '{ webhookConfig { webhookUrl } }';
    expect((await ana(config)).data.webhookConfig.webhookUrl).toBe(WARY.webhookUrl);
    await bea(APPROVE, { input: { id } });
    expect((await ana(config)).data.webhookConfig.webhookUrl).toBe(moved.input.webhookUrl);
  });

  test('is refused these acts with a key, in the shape of each surface', async () => {
    const rest = await exchange({
      ...{ method: 'POST', path: '/partner/webhooks/config/regenerate-secret' },
      headers: { 'x-api-key': KEY },
    });
    expect(rest.status).toBe(403);
    expect(JSON.parse(rest.text)).toEqual({
      success: false,
      error: {
        code: 'FORBIDDEN',
        message: expect.stringContaining('an administrator who is another person'),
        details: null,
      },
    });
    const { data } = await askWithKey(CREATE_KEY);
    expect(data).toMatchObject({
      createApiKey: { key: null, pendingApproval: null, userErrors: [{ code: 'FORBIDDEN' }] },
    });
  });

  test('shows read-only sessions no requests', async () => {
    const reader = await signInAs('Eva', 'READ');
    expect((await reader('{ approvals { id } }')).errors[0].extensions.code).toBe('FORBIDDEN');
    expect((await reader(APPROVE, { input: { id: 'apr_x' } })).errors[0].extensions.code).toBe('FORBIDDEN');
  });
});
