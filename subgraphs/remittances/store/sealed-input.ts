import { toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { isOneOf } from '../../kernel/objects.ts';
import type { Person } from '../../providers/types.ts';
import type { ContactInput, PaymentMethodInput, Registration } from '../../users/index.ts';
import type { Phase } from '../lifecycle.ts';
import type { RemittanceDocument } from './model.ts';

/** The personal part of a call that the steps need. */
export interface RemittanceInput {
  person: Person;
  contact: ContactInput;
  method: PaymentMethodInput;
  reason?: string;
}

/** The parts that a phase and later ones need: a card number, for example, is not kept after `PAYMENT_METHOD`. */
const NEEDED_FROM: Readonly<Record<Phase, readonly (keyof RemittanceInput)[]>> = {
  CIP: ['person', 'contact', 'method', 'reason'],
  CONTACT: ['contact', 'method', 'reason'],
  PAYMENT_METHOD: ['contact', 'method', 'reason'],
  REQUEST_MONEY: ['contact', 'reason'],
};

type Identified = Pick<RemittanceDocument, '_id' | 'accountId'>;

export function sealInput(box: Box, remittance: Identified, input: Partial<RemittanceInput>): Buffer {
  return box.seal(JSON.stringify(input), contextOf(remittance));
}

/**
 * The parts of its call that a remittance in progress still has; they depend on the phase. @throws when it was sealed under
 * another key or has been changed
 */
export function openInput(box: Box, remittance: RemittanceDocument): RemittanceInput {
  if (remittance.private === undefined) {
    throw new TypeError('A remittance that has ended has nothing left to do');
  }
  return JSON.parse(box.open(toBuffer(remittance.private), contextOf(remittance)).toString());
}

/** The input without the parts that neither the phase nor a later one needs. */
export function withoutUsedCard(input: RemittanceInput, phase: Phase): Partial<RemittanceInput> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => isOneOf(NEEDED_FROM[phase], name)));
}

/** A requester in the form of identity providers. */
export function toPerson(registration: Registration): Person {
  const { firstName, lastName, middleName, lastName2, dob, countryCode } = registration;
  return {
    firstName,
    lastName,
    ...(middleName === undefined ? {} : { secondName: middleName }),
    ...(lastName2 === undefined ? {} : { secondLastName: lastName2 }),
    ...(dob === undefined ? {} : { dob }),
    country: countryCode,
  };
}

function contextOf({ _id, accountId }: Identified): string {
  return `${accountId}|private|${_id}`;
}
