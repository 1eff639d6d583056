import type { CipStatus, LinkStatus, OperationStatus, RequestMoneyStatus } from './documents/types.ts';
import type { Words } from './language/en.ts';

type Texts = Words['simulate'];

/** The events of a money request that can be simulated now: a text, and the change of status. */
export function moneyRequestEvents(status: RequestMoneyStatus, say: Texts) {
  const pays = [say.payerPays, { status: 'COMPLETED' }] as const;
  const fails = [say.paymentFails, { status: 'REJECTED' }] as const;
  switch (status) {
    case 'PENDING':
      return [
        pays,
        [say.payerBegins, { status: 'PROCESSING' }],
        fails,
        [say.expires, { status: 'CANCELLED', statusDetails: 'Expired' }],
      ] as const;
    case 'PROCESSING':
      return [pays, fails] as const;
    default:
      return [];
  }
}

/** The statuses that an operation can go to, the usual ones first. One on hold can also go back; the graph knows where to. */
export const OPERATION_MOVES: Readonly<Record<OperationStatus, readonly OperationStatus[]>> = {
  SENT: ['ACCEPTED', 'FUNDING', 'REJECTED', 'CANCELLED', 'ON_HOLD'],
  FUNDING: ['FUNDED', 'FAILED', 'CANCELLED', 'ON_HOLD'],
  ACCEPTED: ['FUNDED', 'FUNDING', 'REJECTED', 'CANCELLED', 'ON_HOLD'],
  FUNDED: ['COMPLETED', 'IN_TRANSIT', 'READY_FOR_PICKUP', 'FAILED', 'ON_HOLD'],
  IN_TRANSIT: ['COMPLETED', 'READY_FOR_PICKUP', 'FAILED', 'ON_HOLD'],
  READY_FOR_PICKUP: ['COMPLETED', 'FAILED', 'CANCELLED'],
  ON_HOLD: ['REJECTED', 'FAILED', 'CANCELLED'],
  COMPLETED: [],
  FAILED: [],
  REJECTED: [],
  CANCELLED: [],
};

/** The results of an identity check that differ from the present one. */
export function identityEvents(status: CipStatus, say: Texts) {
  const all = [
    [say.verified, 'VERIFIED'],
    [say.failed, 'FAILED'],
    [say.pending, 'PENDING'],
  ] as const;
  return all.filter(([, result]) => result !== status);
}

/** Whether the user of a link can open it for the first time. */
export function canOpen(
  { status, expiresAt }: { status: LinkStatus; expiresAt: string },
  now: number,
): boolean {
  return status === 'CREATED' && Date.parse(expiresAt) > now;
}
