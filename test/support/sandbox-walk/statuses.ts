import { answer, raised, type Walk } from './codes.ts';
import type { Partner } from './partner.ts';

/** The statuses that are simulated to come to each one. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  Sent: [],
  Funding: ['Funding'],
  Accepted: ['Accepted'],
  Funded: ['Accepted', 'Funded'],
  OnHold: ['OnHold'],
  InTransit: ['Accepted', 'Funded', 'InTransit'],
  ReadyForPickup: ['Accepted', 'Funded', 'ReadyForPickup'],
  Completed: ['Accepted', 'Funded', 'Completed'],
  Rejected: ['Rejected'],
  Failed: ['Funding', 'Failed'],
  Cancelled: ['Cancelled'],
};

/** A status of document 1 for each of document 3. */
const IN_DOCUMENT_3 = {
  pending: 'Sent',
  processing: 'OnHold',
  completed: 'Completed',
  failed: 'Rejected',
  cancelled: 'Cancelled',
} as const;

/** An operation that has come to a status. @returns its id */
async function operationAt(partner: Partner, status: string): Promise<string> {
  const { id } = await partner.full();
  await partner.received('request_money_full_outcome', id);
  for (const next of WAYS[status] ?? []) {
    await partner.call('POST', `/v1/sandbox/operations/${id}/status`, { body: { status: next } });
  }
  return id;
}

async function moneyRequestAt(partner: Partner, status: string): Promise<string> {
  const { id } = await partner.ask();
  if (status !== 'pending') {
    await partner.call('POST', `/v1/sandbox/request-money/${id}/status`, { body: { status } });
  }
  return id;
}

const moneyRequest =
  (status: string): Walk =>
  async (partner) => {
    const found = await partner.call('GET', `/v1/request-money/${await moneyRequestAt(partner, status)}`);
    return String(found.body.status);
  };
const operation =
  (status: string): Walk =>
  async (partner) => {
    const id = await operationAt(partner, status);
    return String((await partner.call('GET', `/v1/user/operations/detail/${id}`)).body.status);
  };
const operationOfDocument3 =
  (status: string): Walk =>
  async (partner) => {
    const id = await operationAt(partner, status);
    const { body } = await partner.call('GET', `/partner/operations/${id}`);
    return (body.data as { status: string }).status;
  };
const link =
  (act: 'open' | 'revoke' | undefined): Walk =>
  async (partner) => {
    const { linkId } = await partner.link();
    const path = act === 'open' ? `/v1/sandbox/links/${linkId}/open` : `/partner/links/${linkId}/revoke`;
    if (act !== undefined) {
      await partner.call('POST', path);
    }
    const { body } = await partner.call('GET', `/partner/links/${linkId}`);
    return (body.data as { status: string }).status;
  };
const check =
  (status: string): Walk =>
  async (partner) => {
    const { linkId, userId } = await partner.link();
    if (status !== 'pending') {
      await partner.call('POST', `/v1/sandbox/users/${userId}/cip`, { body: { status } });
    }
    const { body } = await partner.call('GET', `/partner/links/${linkId}`);
    return (body.data as { user: { cipStatus: string } }).user.cipStatus;
  };

/** Walks of several statuses of one kind of record. */
const each = (record: string, statuses: readonly string[], walk: (status: string) => Walk) =>
  Object.fromEntries(statuses.map((status) => [`${record} ${status}`, walk(status)]));

/** How each status of the documents is reached, by record and status. */
export const STATUSES: Readonly<Record<string, Walk>> = {
  ...each('Money request', ['pending', 'processing', 'completed', 'rejected', 'cancelled'], moneyRequest),
  ...each('Operation', Object.keys(WAYS), operation),
  ...Object.fromEntries(
    Object.entries(IN_DOCUMENT_3).map(([status, of]) => [
      `Operation in \`/partner\` ${status}`,
      operationOfDocument3(of),
    ]),
  ),
  'Link created': link(undefined),
  'Link opened': link('open'),
  'Link revoked': link('revoke'),
  ...each('Identity check', ['pending', 'verified', 'failed'], check),
  'Data request fulfilled': async (partner) => answer(partner, await raised(partner, 'walk-3'), 'walk-3'),
  'Outcome of an atomic call Accepted': (partner) => partner.outcome(),
  'Outcome of an atomic call Failed': async (partner) =>
    (await partner.outcome({ requester: { lastName: 'CIPFAIL' } })) === 'ERROR_CIP_NOT_COMPLETED'
      ? 'Failed'
      : undefined,
};

/** Produces a webhook. @returns a text that it must have */
type Cause = (partner: Partner) => Promise<string>;

const moved =
  (status: string): Cause =>
  (partner) =>
    moneyRequestAt(partner, status);
const refused: Cause = async (partner) =>
  (await partner.ask({}, { name: { firstName: 'Ana', lastName: 'OFACHIT' } })).id;

/** How each webhook of the documents is caused. */
export const WEBHOOKS: Readonly<Record<string, Cause>> = {
  operation_created: moved('pending'),
  'request_money.created': moved('pending'),
  operation_updated: moved('processing'),
  'operation.processing': moved('processing'),
  'operation.completed': moved('completed'),
  'operation.rejected': moved('rejected'),
  'operation.cancelled': moved('cancelled'),
  operation_error: refused,
  'request_money.failed': refused,
  request_money_full_outcome: async (partner) => (await partner.full()).id,
  'user.data_request': (partner) => raised(partner, 'walk-4'),
};
