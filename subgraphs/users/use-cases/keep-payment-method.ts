import type { ClientSession } from 'mongoose';
import type { UsersDeps } from '../deps.ts';
import type { PaymentMethodRecord } from '../payment-method.ts';
import type { KeepPaymentMethod } from '../port.ts';

/** {@link UsersPort.keepPaymentMethod} */
export async function keepPaymentMethod(
  { paymentMethods }: Pick<UsersDeps, 'paymentMethods'>,
  input: KeepPaymentMethod,
  session: ClientSession,
): Promise<PaymentMethodRecord> {
  const same = await paymentMethods.findSame(input, input.method, session);
  if (same) {
    return same;
  }
  const isPrimary = !(await paymentMethods.hasPrimary(input, session));
  return paymentMethods.insert({ ...input, isPrimary }, session);
}
