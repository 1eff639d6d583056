import type { Providers } from '../platform/providers/types.ts';
import type { Tenant } from '../platform/tenants/service.ts';
import type { RunTransaction } from '../platform/transaction.ts';
import type { ContactRepository } from './contact-repository.ts';
import type { Keys } from './keys.ts';
import type { PaymentMethodRepository } from './payment-method-repository.ts';
import type { UserRepository } from './user-repository.ts';

/** What the slice's operations stand on. Each function asks for the part that it needs. */
export interface UsersDeps {
  users: UserRepository;
  contacts: ContactRepository;
  paymentMethods: PaymentMethodRepository;
  keys: Keys;
  providers: Pick<Providers, 'cards' | 'ubn'>;
  tenants: { find(tenantId: string): Promise<Tenant | undefined> };
  transaction: RunTransaction;
  clock: () => Date;
}
