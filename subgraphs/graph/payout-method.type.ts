import type { PayoutMethod as Method } from '../kernel/money/payout-methods.ts';
import { textEnum } from './text-enum.ts';

export type PayoutMethod = Method;
export const PayoutMethod = textEnum<Method>('PayoutMethod', 'How the requester is paid out.', {
  bank_account: 'To a bank account.',
  card: 'To a card.',
  cash: 'In cash at a provider.',
});
