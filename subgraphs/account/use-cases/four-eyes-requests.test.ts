import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { findUnserved, recordQueries } from '../../../test/support/query-shapes.ts';
import type { AccountId } from '../../kernel/account.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Approvals } from '../../partners/approvals/approvals.ts';
import { FOUR_EYES_ACTS } from '../../partners/tenants/four-eyes.ts';
import type { FourEyes } from './four-eyes.ts';
import {
  codeOf,
  type FourEyesScene,
  type OpenedPartner,
  openFourEyesScene,
  openPartner,
  unwrap,
} from './testing-four-eyes.ts';

const DAY_MS = 24 * 3_600_000;
const NEW_KEY = { scopes: ['partner'], label: 'new' };

describe('Requests for approval', () => {
  let scene: FourEyesScene;
  let approvals: Approvals;
  let fourEyes: FourEyes;
  let accountId: AccountId;
  let ana: Principal;
  let bea: Principal;
  let stateOf: OpenedPartner['stateOf'];
  let countKeys: OpenedPartner['countKeys'];

  beforeAll(async () => {
    scene = await openFourEyesScene();
    ({ approvals, fourEyes } = scene);
  });
  beforeEach(async () => {
    scene.ahead = 0;
    ({ accountId, ana, bea, stateOf, countKeys } = await openPartner(scene, FOUR_EYES_ACTS));
  });
  afterAll(async () => {
    await scene.bench.reset();
    await scene.bench.close();
  });
  const askForKey = async () => {
    const asked = unwrap(await fourEyes.perform(ana, 'createApiKey', NEW_KEY));
    return String(asked.pendingApproval?.id);
  };

  test('expire after 24 hours, and are never run then', async () => {
    const id = await askForKey();
    scene.ahead = DAY_MS;
    expect(await stateOf(id)).toBe('EXPIRED');
    expect(codeOf(await fourEyes.approve(bea, id))).toBe('APPROVAL_NOT_PENDING');
    expect(codeOf(await approvals.reject(bea, id))).toBe('APPROVAL_NOT_PENDING');
    expect(await countKeys()).toBe(1);
  });

  test('stay open when their act fails', async () => {
    const make = { url: 'https://taken.test/' };
    const asked = unwrap(await fourEyes.perform(ana, 'createWebhookEndpoint', make));
    const id = String(asked.pendingApproval?.id);
    unwrap(await scene.endpoints.create(accountId, make));
    expect(codeOf(await fourEyes.approve(bea, id))).toBe('WEBHOOK_ENDPOINT_EXISTS');
    expect(await stateOf(id)).toBe('PENDING');
  });

  test('are rejected by another person or withdrawn by the one who asked, once, and never run then', async () => {
    const [withdrawn, rejected] = [await askForKey(), await askForKey()];
    expect(unwrap(await approvals.reject(ana, withdrawn)).decidedBy).toMatchObject({ person: 'Ana' });
    expect(unwrap(await approvals.reject(bea, rejected)).status).toBe('REJECTED');
    for (const id of [withdrawn, rejected]) {
      expect(codeOf(await fourEyes.approve(bea, id))).toBe('APPROVAL_NOT_PENDING');
      expect(codeOf(await approvals.reject(bea, id))).toBe('APPROVAL_NOT_PENDING');
    }
    expect(await countKeys()).toBe(1);
  });

  test('of people who signed in by their company are decided by another person, but for a new key', async () => {
    const signedIn = (person: string, label: string): Principal => {
      const sessionId = `cse_${label}_${Math.random()}`;
      const consoleSession = {
        sessionId,
        label,
        person,
        access: 'admin',
        expiresAt: Date.now() + DAY_MS,
      } as const;
      return { accountId, keyId: sessionId, scopes: ana.scopes, consoleSession };
    };
    const cleo = signedIn('digest of Cleo', 'Cleo');
    const make = (url: string) => fourEyes.perform(cleo, 'createWebhookEndpoint', { url });
    const id = String(unwrap(await make('https://one.test/')).pendingApproval?.id);
    const same = [cleo, signedIn('digest of Cleo', 'Another name'), signedIn('another digest', ' cleo ')];
    for (const person of same) {
      expect(codeOf(await fourEyes.approve(person, id))).toBe('APPROVAL_REFUSED');
    }
    const dan = signedIn('digest of Dan', 'Dan');
    expect(unwrap(await fourEyes.approve(dan, id)).approval).toMatchObject({
      requestedBy: { person: 'Cleo' },
      decidedBy: { person: 'Dan' },
    });
    expect(codeOf(await fourEyes.approve(dan, await askForKey()))).toBe('APPROVAL_REFUSED');
    // Nobody knows whether Bea, by a link, is Cleo or Dan.
    const other = String(unwrap(await make('https://two.test/')).pendingApproval?.id);
    expect(codeOf(await fourEyes.approve(bea, other))).toBe('APPROVAL_REFUSED');
    const byLink = unwrap(await fourEyes.perform(ana, 'regenerateWebhookSecret', {}));
    expect(codeOf(await fourEyes.approve(dan, String(byLink.pendingApproval?.id)))).toBe('APPROVAL_REFUSED');
    expect(await countKeys()).toBe(1);
  });

  test('show other accounts nothing, nor the other environment, and are found by an index', async () => {
    const id = await askForKey();
    const queries = recordQueries(scene.bench.store.connection);
    for (const other of ['globex/sandbox', `${accountId.split('/')[0]}/live`] as AccountId[]) {
      const stranger = { ...bea, accountId: other };
      expect(codeOf(await fourEyes.approve(stranger, id))).toBe('APPROVAL_NOT_FOUND');
      expect(codeOf(await approvals.reject(stranger, id))).toBe('APPROVAL_NOT_FOUND');
      expect(await approvals.list(other)).toEqual([]);
    }
    expect(await approvals.list(accountId)).toHaveLength(1);
    await askForKey();
    expect(findUnserved(scene.bench.store.connection, queries)).toEqual([]);
  });

  test('are at most 20 open ones', async () => {
    for (let asked = 0; asked < 20; asked += 1) {
      await askForKey();
    }
    const more = () => fourEyes.perform(ana, 'createApiKey', NEW_KEY);
    expect(codeOf(await more())).toBe('APPROVAL_LIMIT');
    const [first] = await approvals.list(accountId);
    await approvals.reject(ana, String(first?.id));
    expect(codeOf(await more())).toBe('ok');
  });
});
