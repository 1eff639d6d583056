import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { SEALED_FIELDS } from '../../gateway/cli/admin/sealed-fields.ts';
import { createKeyring } from '../../subgraphs/kernel/crypto/keyring.ts';
import type { Deployment } from '../support/deployment.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import { useScene } from '../support/scene.ts';
import { INTERNAL_KEY, KEYS } from '../support/seed.ts';
import type { Server } from '../support/server.ts';
import { runProduct } from '../support/server-process.ts';
import { until } from '../support/until.ts';

const ADMIN = resolve('dist/bin/admin.js');
const KEY = { 'X-API-Key': KEYS.acme, 'content-type': 'application/json' };
const INTERNAL = { 'X-Internal-Key': INTERNAL_KEY, 'content-type': 'application/json' };
const PNG = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.from('the picture of a passport'),
]);

/** Everything personal that this file sends to the product; none of it may be found again in clear. */
const PERSONAL = {
  firstName: 'Xochitlalpan',
  lastName: 'Quetzalhuatzin',
  payerFirst: 'Wolframandus',
  payerLast: 'Eschenbacherin',
  phone: '+525587654321',
  payerPhone: '+12135550187',
  email: 'xochi.at.rest@mail.test',
  payerEmail: 'wolfram.at.rest@mail.test',
  dob: '1987-03-29',
  address: 'Calzada del Hueso 7741',
  card: '4539578763621486',
  brokenCard: '4539578763621487',
  account: '646180157098510016',
  accountOfRequest: 'MX99ATREST0012345678',
  idNumber: 'PASSATREST998877',
  blockReason: 'Seen with a forged passport',
  askReason: 'Rent of the house in Calzada 7741',
  v2Reason: 'Surgery of Nezahualcoyotzin',
  failureReason: 'Nezahualcoyotzin has no account',
  image: 'the picture of a passport',
  endpointPath: 'endpoint-at-rest-4711',
  endpointSecret: 'the secret of an endpoint at rest',
  endpointHeader: 'the credential of an endpoint at rest',
};

describe('Personal data at rest', () => {
  const scene = useScene();
  let deployment: Deployment;
  let server: Server;
  let exchange: Exchange;
  const secrets = {
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    API_KEY_PEPPER: randomBytes(32).toString('hex'),
  };
  const made: Record<string, string> = {};

  beforeAll(async () => {
    deployment = await scene.deploy({ env: secrets });
    server = await deployment.start();
    exchange = exchangeWith(server.url);
    await enterEverything();
  });

  test('no collection and no log holds it in clear, as it was sent', async () => {
    const found = await valuesIn(async (look) => {
      const database = await deployment.database();
      for (const collectionName of await collectionsOf()) {
        for (const document of await database.collection(collectionName).find().toArray()) {
          look(collectionName, Buffer.from(mongo.BSON.serialize(document)));
        }
      }
      look('the logs', Buffer.from(server.output()));
    });
    expect(found).toEqual([]);
    expect(server.output()).toContain('/v1/user/operations/request-money-full');
  });

  test('a new master key opens all that was sealed under the former one, which then may go', async () => {
    const before = await readEverything();
    expect(before).toContain(PERSONAL.lastName);
    await server.kill('SIGTERM');
    const next = randomBytes(32).toString('hex');
    const both = { ENCRYPTION_KEY: next, ENCRYPTION_KEY_PREVIOUS: secrets.ENCRYPTION_KEY };

    await restart(both);
    expect(await readEverything()).toBe(before);
    await expectRotationRejected({ ENCRYPTION_KEY: randomBytes(32).toString('hex') });
    expect(await rotate(both)).toBeGreaterThan(10);
    expect(await rotate(both)).toBe(0);
    expect(await sealedUnder(secrets.ENCRYPTION_KEY)).toEqual([]);
    await server.kill('SIGTERM');

    await restart({ ENCRYPTION_KEY: next });
    expect(await readEverything()).toBe(before);
    await server.kill('SIGTERM');
    const rejected = deployment.start({ ...secrets, NODE_ENV: 'production' });
    await expect(rejected).rejects.toThrow('ENCRYPTION_KEY');
  });

  async function restart(env: Record<string, string>): Promise<void> {
    server = await deployment.start(env);
    exchange = exchangeWith(server.url);
  }

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = KEY) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await exchange({ method, path, headers, ...(text !== undefined && { body: text }) });
    if (answer.status >= 300) {
      throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    }
    return answer.text;
  }

  /** Uses every way by which something personal comes in. */
  async function enterEverything(): Promise<void> {
    await addEndpoint();
    await createMoneyRequest();
    await requestMoney();
    await verifyByLink();
    await until('the remittance ended', async () => {
      const database = await deployment.database();
      return (await database.collection('remittances').countDocuments({ status: 'SUCCEEDED' })) === 1;
    });
  }

  /** A second endpoint, and former secrets and headers of both: what is delivered from now on keeps them, too. */
  async function addEndpoint(): Promise<void> {
    const { endpointPath, endpointSecret: secret, endpointHeader } = PERSONAL;
    const headers = [{ name: 'Authorization', value: endpointHeader }];
    const url = `${deployment.receiver.url}/${endpointPath}`;
    const create = `mutation ($input: CreateWebhookEndpointInput!) {
      createWebhookEndpoint(input: $input) { webhookEndpoint { id } }
    }`;
    const added = await query(create, { input: { url, secret, headers } });
    const endpointId = added.createWebhookEndpoint.webhookEndpoint.id;
    const configure = `mutation ($input: UpdateWebhookConfigInput!) {
      updateWebhookConfig(input: $input) { userErrors { code } }
    }`;
    await query(configure, { input: { webhookHeaders: headers } });
    const rotate = `mutation ($input: RotateWebhookSecretInput!) {
      rotateWebhookSecret(input: $input) { userErrors { code } }
    }`;
    await query(rotate, { input: { endpointId, overlapHours: 24 } });
    await query(rotate, { input: { overlapHours: 24 } });
  }

  async function query(text: string, variables: object = {}) {
    const answer = JSON.parse(await call('POST', '/graphql', { query: text, variables }));
    expect(answer.errors).toBeUndefined();
    return answer.data;
  }

  async function createMoneyRequest(): Promise<void> {
    const { firstName, lastName, dob, address, accountOfRequest } = PERSONAL;
    const requestData = {
      userReferenceId: 'u-rest',
      name: { firstName, lastName },
      dob,
      address: { country: 'MX', state: 'CDMX', line1: address },
      payoutMethod: 'bank_account',
      bankAccount: { accountNumber: accountOfRequest },
    };
    const headers = { ...KEY, 'Idempotency-Key': 'at rest' };
    await call(
      'POST',
      '/v1/request-money',
      { referenceId: 'ATrest01', amount: 20, currency: 'MXN', requestData },
      headers,
    );
  }

  async function requestMoney(): Promise<void> {
    const { firstName, lastName, phone, email, dob, address, card, account } = PERSONAL;
    const place = { address1: address, countryCode: 'MX', city: 'CDMX', state: 'CDMX' };
    const requester = { phoneNumber: phone, firstName, lastName, email, dob, ...place };
    const method = {
      type: 'DebitCard',
      number: card,
      nameOnCard: `${firstName} ${lastName}`,
      expirationDate: '1239',
      country: 'MX',
      currency: 'MXN',
    };
    const requestTo = {
      phoneNumber: PERSONAL.payerPhone,
      firstName: PERSONAL.payerFirst,
      lastName: PERSONAL.payerLast,
      email: PERSONAL.payerEmail,
      countryCode: 'US',
    };
    const sum = { recipientCurrency: 'MXN', recipientAmount: 25.5 };
    const fields = { ...sum, correlationId: 'at-rest-1', reason: PERSONAL.askReason, requestTo };
    const body = { requester, request: { ...fields, destinationPaymentMethod: method } };
    const accepted = JSON.parse(await call('POST', '/v1/user/operations/request-money-full', body));
    made.userToken = accepted.userId;
    const ubn = { number: account, currency: 'MXN', country: 'MX' };
    await call('POST', `/v1/user/payment-methods/ubn/${accepted.userId}`, ubn);
    await requestAgain(accepted.userId, { ...sum, destinationPaymentMethod: { type: 'UBN', ...ubn } });
    const broken = await exchange({
      method: 'POST',
      path: `/v1/user/payment-methods/card/${accepted.userId}`,
      headers: KEY,
      body: JSON.stringify({ ...method, number: PERSONAL.brokenCard }),
    });
    expect(broken.status).toBe(400);
  }

  /** By v2: one that is made and fails, and one that its provider leaves unanswered. */
  async function requestAgain(userId: string, sum: object): Promise<void> {
    const { v2Reason: reason, failureReason, payerPhone } = PERSONAL;
    const path = `/v1/user/operations/request-money-v2/${userId}`;
    await call('POST', path, { ...sum, correlationId: 'at-rest-2', reason, requestTo: payerPhone });
    const failed = { partnerId: 'acme', status: 'Rejected', failureReason };
    await call('PATCH', '/v1/internal/operations/at-rest-2/status', failed, INTERNAL);
    const unanswered = {
      phoneNumber: '+12135550186',
      firstName: PERSONAL.payerFirst,
      lastName: 'FUNDINGDOWN',
    };
    await call('POST', `/v1/user/contacts/${userId}`, { ...unanswered, countryCode: 'US' });
    const body = { ...sum, correlationId: 'at-rest-3', reason, requestTo: unanswered.phoneNumber };
    const left = await exchange({ method: 'POST', path, headers: KEY, body: JSON.stringify(body) });
    expect(left.status).toBe(500);
  }

  async function verifyByLink(): Promise<void> {
    const { firstName, lastName, dob, idNumber } = PERSONAL;
    const idImage = `data:image/png;base64,${PNG.toString('base64')}`;
    const userData = { name: { firstName, lastName }, idType: 'passport', idNumber, dob, idImage };
    const body = { flow: 'cip', referenceId: 'u-rest', userData, metadata: { note: lastName } };
    const { data } = JSON.parse(await call('POST', '/partner/links', body));
    made.linkId = data.linkId;
    await call('POST', '/partner/cip/tickets', { linkId: data.linkId });
    const result = { checkedName: `${firstName} ${lastName}` };
    await call('PATCH', `/v1/internal/users/${data.userId}/cip`, { status: 'verified', result }, INTERNAL);
    await call('POST', `/partner/users/${data.userId}/block`, { reason: PERSONAL.blockReason });
    made.userId = data.userId;
  }

  /** Reads back, through the surfaces, what is sealed. */
  async function readEverything(): Promise<string> {
    const { userToken, linkId } = made;
    const paths = [
      '/v1/request-money/ATrest01',
      `/v1/user/operations/${userToken}`,
      '/partner/operations',
      `/v1/user/operations/frequent/${userToken}/5`,
      `/v1/user/token-v2?email=${PERSONAL.email}`,
      `/partner/links/${linkId}`,
      `/partner/links/${linkId}/id-image`,
      '/partner/users',
      '/partner/webhooks/config',
    ];
    const texts: string[] = [];
    for (const path of paths) {
      texts.push(await call('GET', path));
    }
    const endpoints =
      '{ me { webhookEndpoints { url secretPreview formerSecretsUntil publicKeys { id } headerNames } } }';
    texts.push(JSON.stringify(await query(endpoints)).replace(/127\.0\.0\.1:\d+/g, ''));
    return texts.join('\n').replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '');
  }

  async function collectionsOf(): Promise<string[]> {
    const database = await deployment.database();
    return (await database.listCollections()).map(({ name }) => name);
  }

  async function rotate(env: Record<string, string>): Promise<number> {
    const run = runProduct(ADMIN, ['encryption', 'rotate', '--json'], { ...deployment.env, ...env });
    const { code } = await run.exited;
    expect([code, run.output()]).toEqual([0, expect.any(String)]);
    const rows = JSON.parse(run.output()) as { resealed: number }[];
    expect(rows).toHaveLength(SEALED_FIELDS.length);
    return rows.reduce((total, { resealed }) => total + resealed, 0);
  }

  /** With keys that are not the data's it says so in one line, and changes nothing. */
  async function expectRotationRejected(env: Record<string, string>): Promise<void> {
    const run = runProduct(ADMIN, ['encryption', 'rotate'], { ...deployment.env, ...secrets, ...env });
    expect((await run.exited).code).toBe(1);
    expect(run.output()).toMatch(
      /^The data in this store was written under another ENCRYPTION_KEY\. Start .*\n$/,
    );
  }

  /** Every binary value in the store that begins as one sealed under this master key does. */
  async function sealedUnder(masterKey: string): Promise<string[]> {
    const former = createKeyring([Buffer.from(masterKey, 'hex')]);
    const database = await deployment.database();
    const found: string[] = [];
    for (const collectionName of await collectionsOf()) {
      for (const document of await database.collection(collectionName).find().toArray()) {
        for (const [field, value] of Object.entries(document)) {
          if (value instanceof mongo.Binary && former.isCurrent(value.buffer)) {
            found.push(`${collectionName}.${field}`);
          }
        }
      }
    }
    return found;
  }
});

/** Which personal values are found in what `scan` looks through, and where. */
async function valuesIn(
  scan: (look: (where: string, bytes: Buffer) => void) => Promise<void>,
): Promise<string[]> {
  const found = new Set<string>();
  await scan((where, bytes) => {
    for (const [name, value] of Object.entries(PERSONAL)) {
      const forms = [
        value,
        Buffer.from(value).toString('base64').replace(/=+$/, '').slice(0, -1),
        value.replace('+', ''),
      ];
      if (forms.some((form) => bytes.includes(form))) {
        found.add(`${name} in ${where}`);
      }
    }
  });
  return [...found];
}
