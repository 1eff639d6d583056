import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { UsersDeps } from '../deps.ts';
import type { PaymentMethodRecord } from '../payment-method.ts';
import type { KeepPaymentMethod } from '../port.ts';

/** {@link UsersPort.keepPaymentMethod} */
export async function keepPaymentMethod(
  { paymentMethods }: Pick<UsersDeps, 'paymentMethods'>,
  input: KeepPaymentMethod,
  unit: UnitOfWork,
): Promise<PaymentMethodRecord> {
  const { same, hasPrimary } = await paymentMethods.findSameOrPrimary(input, input.method, unit);
  return same ?? paymentMethods.insert({ ...input, isPrimary: !hasPrimary }, unit);
}
