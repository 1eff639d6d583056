import { authorize } from '../../graph/authorize.ts';
import { type ReferenceResolver, referenceBy } from '../../graph/subgraph.ts';
import type { UserService } from '../service.ts';
import { contactPresenter } from './contact.type.ts';
import { paymentMethodPresenter } from './payment-method.type.ts';
import { toUser } from './user.type.ts';

/** The slice's entities, each `@key(id)`: all of a batch in one read. */
export function createReferences(
  users: Pick<UserService, 'findByIds' | 'findByPhones' | 'findContacts' | 'findPaymentMethods'>,
): Record<'User' | 'Contact' | 'PaymentMethod', ReferenceResolver> {
  return {
    User: referenceBy('id', (ids, context) => users.findByIds(authorize(context), ids), toUser),
    Contact: referenceBy(
      'id',
      async (ids, context) => {
        const principal = authorize(context);
        const found = await users.findContacts(principal, ids);
        const present = contactPresenter([...found.values()], users, principal);
        return new Map([...found].map(([id, contact]) => [id, present(contact)]));
      },
      (contact) => contact,
    ),
    PaymentMethod: referenceBy(
      'id',
      async (ids, context) => {
        const principal = authorize(context);
        const found = await users.findPaymentMethods(principal, ids);
        const present = paymentMethodPresenter([...found.values()], users, principal);
        return new Map([...found].map(([id, method]) => [id, present(method)]));
      },
      (method) => method,
    ),
  };
}
