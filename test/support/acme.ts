import { expect } from '@jest/globals';
import type { Exchange, RawResponse } from './http.ts';
import { newPhone, newWord } from './isolation/ids.ts';
import { INTERNAL_KEY, KEYS } from './seed.ts';
import { isDone } from './struck-calls.ts';

/** A link as it was made. */
interface Link {
  readonly linkId: string;
  readonly userId: string;
  readonly referenceId: string;
}

/** Calls of the partner acme, and of the platform's own back end. */
export interface Acme {
  /** With the key that the path wants. */
  send(method: string, path: string, body?: object): Promise<RawResponse>;
  graph(query: string, variables: object): Promise<RawResponse>;
  /** Makes something that a test needs. @throws unless it succeeds */
  make<Answer>(method: string, path: string, body?: object): Promise<Answer>;
  /** Registers one that nobody knows; returns its id. */
  newUser(): Promise<string>;
  newLink(): Promise<Link>;
  /** A data request about the user of a new link. */
  askData(): Promise<Link & { readonly dataRequestId: string }>;
}

export const newPerson = () => ({
  phoneNumber: newPhone(),
  firstName: 'Ana',
  lastName: 'Ruiz',
  address1: 'Reforma 1',
  countryCode: 'MX',
  city: 'CDMX',
  state: 'CMX',
});

/** The body of a link whose user needs no more for an identity check. */
export const newLinkBody = () => ({
  flow: 'cip',
  referenceId: newWord(),
  userData: {
    name: { firstName: 'Ana', lastName: 'Ruiz' },
    idType: 'passport',
    idNumber: 'X1234567',
    dob: '1990-02-28',
  },
});

export function callAsAcme(exchange: Exchange): Acme {
  const send: Acme['send'] = (method, path, body) =>
    exchange({
      method,
      path,
      headers: {
        'Content-Type': 'application/json',
        ...(path.startsWith('/v1/internal')
          ? { 'X-Internal-Key': INTERNAL_KEY }
          : { 'X-API-Key': KEYS.acme }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const make = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await send(method, path, body);
    expect([path, answer.text, isDone(answer)]).toEqual([path, answer.text, true]);
    return JSON.parse(answer.text) as Answer;
  };
  const newLink = async () => (await make<{ data: Link }>('POST', '/partner/links', newLinkBody())).data;
  return {
    send,
    graph: (query, variables) => send('POST', '/graphql', { query, variables }),
    make,
    newUser: async () => (await make<{ userId: string }>('POST', '/v1/user/register-v2', newPerson())).userId,
    newLink,
    askData: async () => {
      const link = await newLink();
      const asked = { partnerId: 'acme', linkId: link.linkId, fields: ['dob'] };
      const raised = await make<{ dataRequestId: string }>('POST', '/v1/internal/data-requests', asked);
      return { ...link, ...raised };
    },
  };
}
