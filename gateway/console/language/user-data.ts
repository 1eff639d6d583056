// Words for the fields of a link's user data that an identity check needs. Only the screen of a link loads them.

import type { Language } from '../format.ts';

const FIELDS: Readonly<Record<string, readonly [english: string, spanish: string]>> = {
  name: ['name', 'nombre'],
  idType: ['type of identity document', 'tipo de documento de identidad'],
  idNumber: ['number of the identity document', 'número del documento de identidad'],
  dob: ['date of birth', 'fecha de nacimiento'],
};

/** The words for a field of user data; its name if it has none. */
export function wordsOfField(field: string, language: Language): string {
  const texts = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined;
  return texts?.[language === 'es' ? 1 : 0] ?? field;
}
