import { toBuffer } from '../../../platform/binary.ts';
import type { Box } from '../../../platform/crypto/box.ts';
import { isOneOf } from '../../../platform/objects.ts';
import type { Person } from '../../../platform/providers/types.ts';
import type { ContactInput, PaymentMethodInput, Registration } from '../../../users/index.ts';
import type { Phase } from '../lifecycle.ts';
import type { RemittanceDocument } from './model.ts';

/** The personal part of a call, which the steps need. */
export interface RemittanceInput {
  person: Person;
  contact: ContactInput;
  method: PaymentMethodInput;
  reason?: string;
}

/** What a phase and those behind it need: a card number, for one, is not kept behind `PAYMENT_METHOD`. */
const NEEDED_FROM: Readonly<Record<Phase, readonly (keyof RemittanceInput)[]>> = {
  CIP: ['person', 'contact', 'method', 'reason'],
  CONTACT: ['contact', 'method', 'reason'],
  PAYMENT_METHOD: ['contact', 'method', 'reason'],
  REQUEST_MONEY: ['contact', 'reason'],
};

type Identified = Pick<RemittanceDocument, '_id' | 'tenantId'>;

export function sealInput(box: Box, remittance: Identified, input: Partial<RemittanceInput>): Buffer {
  return box.seal(JSON.stringify(input), contextOf(remittance));
}

/**
 * What a remittance in progress still has of its call: the phase decides which part.
 * @throws when it was sealed under another key or has been changed
 */
export function openInput(box: Box, remittance: RemittanceDocument): RemittanceInput {
  if (remittance.private === undefined) {
    throw new TypeError('A remittance that has ended has nothing left to do');
  }
  return JSON.parse(box.open(toBuffer(remittance.private), contextOf(remittance)).toString());
}

/** The input without what neither the phase nor any behind it needs. */
export function withoutSpent(input: RemittanceInput, phase: Phase): Partial<RemittanceInput> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => isOneOf(NEEDED_FROM[phase], name)));
}

/** A requester as identity providers know them. */
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

function contextOf({ _id, tenantId }: Identified): string {
  return `${tenantId}|private|${_id}`;
}
