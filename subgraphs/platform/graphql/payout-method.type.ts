import { registerEnumType } from 'type-graphql';

export enum PayoutMethod {
  BANK_ACCOUNT = 'bank_account',
  CARD = 'card',
  CASH = 'cash',
}
registerEnumType(PayoutMethod, {
  name: 'PayoutMethod',
  description: 'How the requester is paid out.',
  valuesConfig: {
    BANK_ACCOUNT: { description: 'To a bank account.' },
    CARD: { description: 'To a card.' },
    CASH: { description: 'In cash at a provider.' },
  },
});
