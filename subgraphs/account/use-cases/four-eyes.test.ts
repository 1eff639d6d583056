import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AccountId } from '../../kernel/account.ts';
import type { Result } from '../../kernel/errors/result.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Approvals } from '../../partners/approvals/approvals.ts';
import type { PartnerKeys } from '../../partners/keys/partner-keys.ts';
import type { ApiKeys } from '../../partners/keys/service.ts';
import { FOUR_EYES_ACTS, type FourEyesAct, withKeys } from '../../partners/tenants/four-eyes.ts';
import type { PartnerEndpoints } from '../../webhooks/partner-endpoints.ts';
import { times } from '../../webhooks/testing-engine.ts';
import type { FourEyes } from './four-eyes.ts';
import {
  codeOf,
  type FourEyesScene,
  Killed,
  type OpenedPartner,
  openFourEyesScene,
  openPartner,
  sessionOf,
  unwrap,
} from './testing-four-eyes.ts';

describe('Four eyes', () => {
  let scene: FourEyesScene;
  let apiKeys: ApiKeys;
  let keys: PartnerKeys;
  let endpoints: PartnerEndpoints;
  let approvals: Approvals;
  let fourEyes: FourEyes;
  let accountId: AccountId;
  let program: Principal;
  let ana: Principal;
  let bea: Principal;
  let stateOf: OpenedPartner['stateOf'];
  let secretOf: OpenedPartner['secretOf'];
  let countKeys: OpenedPartner['countKeys'];

  beforeAll(async () => {
    scene = await openFourEyesScene();
    ({ apiKeys, keys, endpoints, approvals, fourEyes } = scene);
  });
  beforeEach(async () => {
    Object.assign(scene, { ahead: 0, isKilled: false });
    await enter([...FOUR_EYES_ACTS]);
  });
  afterAll(async () => {
    await scene.bench.reset();
    await scene.bench.close();
  });
  async function enter(acts: readonly FourEyesAct[]) {
    ({ accountId, program, ana, bea, stateOf, secretOf, countKeys } = await openPartner(scene, acts));
  }

  const NEW_KEY = { scopes: ['partner'], label: 'new' };
  const askForKey = async (by = ana) => {
    const asked = unwrap(await fourEyes.perform(by, 'createApiKey', NEW_KEY));
    return String(asked.pendingApproval?.id);
  };
  test('change nothing where a partner does not ask for them, neither for sessions nor for keys', async () => {
    await enter([]);
    for (const by of [ana, program]) {
      const made = unwrap(await fourEyes.perform(by, 'createApiKey', NEW_KEY));
      expect([made.pendingApproval, made.done?.key]).toEqual([null, expect.stringMatching(/^raas_sandbox_/)]);
    }
    expect(await approvals.list(accountId)).toEqual([]);
  });

  test('protect only the chosen acts, and new keys always', async () => {
    expect(withKeys([])).toEqual([]);
    expect(withKeys(['BULK_REPLAY'])).toEqual(['CREATE_KEY', 'BULK_REPLAY']);
    await enter(withKeys(['CHANGE_WEBHOOK_URL']));
    const rotated = unwrap(await fourEyes.perform(ana, 'rotateWebhookSecret', {}));
    expect(rotated.done?.secret).toMatch(/^whsec_/);
    const events = unwrap(
      await fourEyes.perform(ana, 'updateWebhookConfig', { webhookEvents: ['operation_error'] }),
    );
    expect(events.done?.config.webhookEvents).toEqual(['operation_error']);
    const url = unwrap(
      await fourEyes.perform(ana, 'updateWebhookConfig', { webhookUrl: 'https://other.test/' }),
    );
    expect(url.pendingApproval).toMatchObject({ acts: ['CHANGE_WEBHOOK_URL'], status: 'PENDING' });
    expect(await askForKey()).toMatch(/^apr_/);
  });

  test('store a request in place of each act, and change nothing', async () => {
    const secret = await secretOf();
    const more = 'https://more.test/';
    const asked = [
      await fourEyes.perform(ana, 'createApiKey', NEW_KEY),
      await fourEyes.perform(ana, 'regenerateWebhookSecret', {}),
      await fourEyes.perform(ana, 'rotateWebhookSecret', { overlapHours: 2 }),
      await fourEyes.perform(ana, 'updateWebhookConfig', { webhookUrl: null }),
      await fourEyes.perform(ana, 'createWebhookEndpoint', { url: more, secret: 'whsec_given_99' }),
      await fourEyes.perform(ana, 'replayWebhookDeliveries', { from: new Date(0) }),
    ];
    expect(asked.map(({ ok }) => ok)).toEqual(times(6, () => true));
    expect(asked.flatMap((one) => (one.ok ? [one.value.done] : []))).toEqual(times(6, () => null));
    expect([await secretOf(), await countKeys()]).toEqual([secret, 1]);
    expect((await endpoints.list(accountId)).map(({ url }) => url)).toEqual(['https://first.test/']);
    expect(await scene.bench.models.replays.countDocuments({ accountId })).toBe(0);
    const stored = await scene.approvalModel.find({ accountId }).lean();
    expect(JSON.stringify(stored)).not.toContain('whsec_given_99');
    expect(stored.every(({ input }) => !input.toString().includes('more.test'))).toBe(true);
  });

  test('reject an act that would fail at once, and store nothing', async () => {
    expect(codeOf(await fourEyes.perform(ana, 'createApiKey', { scopes: ['other'], label: '' }))).toBe(
      'INVALID_REQUEST',
    );
    expect(codeOf(await fourEyes.perform(ana, 'createWebhookEndpoint', { url: 'http://a.test/' }))).toBe(
      'INVALID_REQUEST',
    );
    expect(codeOf(await fourEyes.perform(ana, 'createWebhookEndpoint', { url: 'https://first.test/' }))).toBe(
      'WEBHOOK_ENDPOINT_EXISTS',
    );
    expect(codeOf(await fourEyes.perform(ana, 'rotateApiKey', { id: 'key_x', overlapMinutes: 1 }))).toBe(
      'API_KEY_NOT_FOUND',
    );
    expect(await approvals.list(accountId)).toEqual([]);
  });

  test('refuse protected acts with an API key, whatever its scopes', async () => {
    const secret = await secretOf();
    expect(codeOf(await fourEyes.perform(program, 'regenerateWebhookSecret', {}))).toBe('FORBIDDEN');
    expect(codeOf(await fourEyes.perform(program, 'createApiKey', NEW_KEY))).toBe('FORBIDDEN');
    const perform = (input: object) => fourEyes.perform(program, 'updateOperationalEventsConfig', input);
    expect(codeOf(await perform({ url: null }))).toBe('FORBIDDEN');
    expect(unwrap(await perform({ emails: ['a@acme.test'] })).pendingApproval).toBeNull();
    const id = await askForKey();
    expect(codeOf(await fourEyes.approve(program, id))).toBe('APPROVAL_REFUSED');
    expect(codeOf(await approvals.reject(program, id))).toBe('APPROVAL_REFUSED');
    expect([await secretOf(), await stateOf(id), await countKeys()]).toEqual([secret, 'PENDING', 1]);
  });

  test('run the act when another person approves, who alone sees what it makes', async () => {
    const id = await askForKey();
    const approved = unwrap(await fourEyes.approve(bea, id));
    expect(approved).toMatchObject({
      key: expect.stringMatching(/^raas_sandbox_/),
      webhookSecret: null,
      approval: { status: 'APPROVED', requestedBy: { person: 'Ana' }, decidedBy: { person: 'Bea' } },
    });
    expect(await apiKeys.authenticate(String(approved.key))).toMatchObject({ accountId });
    const secret = await secretOf();
    const asked = unwrap(await fourEyes.perform(bea, 'regenerateWebhookSecret', {}));
    const { webhookSecret } = unwrap(await fourEyes.approve(ana, String(asked.pendingApproval?.id)));
    expect(webhookSecret).toMatch(/^whsec_/);
    expect(await secretOf()).not.toEqual(secret);
    expect(JSON.stringify(await approvals.list(accountId))).not.toContain(webhookSecret);
  });

  test('run every kind of act with the input that was asked for', async () => {
    const ask = async (performed: Promise<Result<{ pendingApproval: { id: string } | null }>>) => {
      const { pendingApproval } = unwrap(await performed);
      unwrap(await fourEyes.approve(bea, String(pendingApproval?.id)));
    };
    await ask(
      fourEyes.perform(ana, 'createWebhookEndpoint', {
        url: 'https://more.test',
        events: ['operation_error'],
      }),
    );
    const [, more] = await endpoints.list(accountId);
    expect(more).toMatchObject({ url: 'https://more.test/', events: ['operation_error'] });
    const id = String(more?.id);
    await ask(
      fourEyes.perform(ana, 'updateWebhookEndpoint', { id, url: 'https://moved.test/', events: null }),
    );
    expect(unwrap(await endpoints.find(accountId, id))).toMatchObject({
      url: 'https://moved.test/',
      events: null,
    });
    await ask(fourEyes.perform(ana, 'rotateWebhookSecret', { endpointId: id, overlapHours: 3 }));
    expect(unwrap(await endpoints.find(accountId, id)).formerSecretsUntil).toHaveLength(1);
    await ask(fourEyes.perform(ana, 'deleteWebhookEndpoint', { id }));
    expect(codeOf(await endpoints.find(accountId, id))).toBe('WEBHOOK_ENDPOINT_NOT_FOUND');
    await ask(
      fourEyes.perform(ana, 'updateWebhookConfig', { webhookUrl: 'https://new.test/', webhookSecret: null }),
    );
    expect((await endpoints.list(accountId)).map(({ url }) => url)).toEqual(['https://new.test/']);
    const receivers = { url: 'https://ops.test/', quietHours: { from: '22:00', to: '07:00' } };
    await ask(fourEyes.perform(ana, 'updateOperationalEventsConfig', receivers));
    expect((await scene.tenants.find(accountId))?.operationalEvents).toMatchObject(receivers);
    const from = new Date('2026-11-20T08:00:00.000Z');
    await ask(fourEyes.perform(ana, 'replayWebhookDeliveries', { from, limit: 7 }));
    expect(await scene.bench.models.replays.findOne({ accountId }).lean()).toMatchObject({
      limit: 7,
      filter: { from },
    });
    const { apiKey } = await apiKeys.create({ accountId, scopes: program.scopes, label: 'old' });
    await ask(fourEyes.perform(ana, 'rotateApiKey', { id: apiKey.keyId, overlapMinutes: 5 }));
    expect(await scene.keyModel.findById(apiKey.keyId).lean()).toMatchObject({ endsAt: expect.any(Date) });
  });

  test('take no approval of the person who asked, of a nameless session, or of an operator', async () => {
    const id = await askForKey();
    const refused = [
      ana,
      sessionOf(program, 'Ana'),
      sessionOf(program, '  ANA '),
      sessionOf(program, ''),
      sessionOf({ ...program, keyId: 'cse_operator' }, 'Bea', 'cse_operator'),
      sessionOf(program, 'Bea', ana.consoleSession?.sessionId),
    ];
    for (const by of refused) {
      expect(codeOf(await fourEyes.approve(by, id))).toBe('APPROVAL_REFUSED');
    }
    expect([await stateOf(id), await countKeys()]).toEqual(['PENDING', 1]);
    expect(codeOf(await fourEyes.perform(sessionOf(program, ''), 'regenerateWebhookSecret', {}))).toBe(
      'APPROVAL_REFUSED',
    );
  });

  test('take no approval of a session that comes from a key of the asking session, also through another key', async () => {
    const first = unwrap(await keys.create(ana, { scopes: ['partner', 'partner_admin'], label: '' }));
    const second = unwrap(
      await keys.create(
        { ...program, keyId: first.apiKey.keyId },
        { scopes: ['partner', 'partner_admin'], label: '' },
      ),
    );
    const third = unwrap(await keys.rotate(program, second.apiKey.keyId, 5));
    const id = await askForKey();
    for (const { apiKey } of [first, second, third]) {
      expect(codeOf(await fourEyes.approve(sessionOf({ ...program, keyId: apiKey.keyId }, 'Bea'), id))).toBe(
        'APPROVAL_REFUSED',
      );
    }
    const { key } = unwrap(await fourEyes.approve(bea, id));
    const { keyId = '' } = (await apiKeys.authenticate(String(key))) ?? {};
    const again = await askForKey();
    expect(codeOf(await fourEyes.approve(sessionOf({ ...program, keyId }, 'Eva'), again))).toBe(
      'APPROVAL_REFUSED',
    );
    expect(codeOf(await fourEyes.approve(bea, again))).toBe('ok');
  });

  test('act once when several approve at once, and when one approves while another rejects', async () => {
    const id = await askForKey();
    const eva = sessionOf(program, 'Eva');
    const codes = (await Promise.all([bea, eva, bea, eva].map((by) => fourEyes.approve(by, id)))).map(codeOf);
    expect(codes.toSorted()).toEqual([
      'APPROVAL_NOT_PENDING',
      'APPROVAL_NOT_PENDING',
      'APPROVAL_NOT_PENDING',
      'ok',
    ]);
    expect(await countKeys()).toBe(2);
    const other = await askForKey();
    const [approved, rejected] = await Promise.all([
      fourEyes.approve(bea, other),
      approvals.reject(eva, other),
    ]);
    expect([approved.ok, rejected.ok].filter(Boolean)).toHaveLength(1);
    expect(await countKeys()).toBe(approved.ok ? 3 : 2);
    expect(await stateOf(other)).toBe(approved.ok ? 'APPROVED' : 'REJECTED');
  });

  test('leave a request open, and nothing done, when the process dies before the commit', async () => {
    const id = await askForKey();
    const asked = unwrap(await fourEyes.perform(ana, 'rotateWebhookSecret', {}));
    const secret = await secretOf();
    scene.isKilled = true;
    await expect(fourEyes.approve(bea, id)).rejects.toThrow(Killed);
    await expect(fourEyes.approve(bea, String(asked.pendingApproval?.id))).rejects.toThrow(Killed);
    scene.isKilled = false;
    const approvalsLogged = () =>
      scene.logged.filter(({ msg, approvalId }) => msg === 'approval.approved' && approvalId === id);
    expect(approvalsLogged()).toEqual([]);
    expect([await stateOf(id), await countKeys(), await secretOf()]).toEqual(['PENDING', 1, secret]);
    unwrap(await fourEyes.approve(bea, id));
    expect(await countKeys()).toBe(2);
    expect(approvalsLogged()).toMatchObject([{ sessionId: bea.consoleSession?.sessionId }]);
  });
});
