import type { FastifyRequest, HTTPMethods } from 'fastify';
import { bodyText } from '../shared/body-text.ts';
import type { DocumentName } from '../shared/documents.ts';
import type { Presenter } from '../shared/presenter.ts';
import type { ErrorShape } from './errors.ts';
import {
  presentAccepted,
  presentCard,
  presentContact,
  presentCreated,
  presentDetail,
  presentFrequent,
  presentHistory,
  presentRegistered,
  presentToken,
  presentUbn,
} from './presenters.ts';

/** One documented call: what it asks of the graph, and how the answer is put. */
export interface Call {
  readonly method: HTTPMethods;
  readonly url: string;
  readonly document: DocumentName;
  readonly shape: ErrorShape;
  /** The document's variables; a body that was not read is the empty text. */
  variables(request: FastifyRequest): Readonly<Record<string, unknown>>;
  readonly present: Presenter;
}

/** The calls of document 1. */
export const CALLS: readonly Call[] = [
  {
    method: 'POST',
    url: '/v1/user/operations/request-money-full',
    document: 'requestMoneyFull',
    shape: 'coded',
    variables: (request) => ({ body: bodyText(request) }),
    present: presentAccepted,
  },
  {
    method: 'POST',
    url: '/v1/user/operations/request-money-v2/:userToken',
    document: 'requestMoneyV2',
    shape: 'plain',
    variables: bodyOfUser,
    present: presentCreated,
  },
  {
    method: 'GET',
    url: '/v1/user/operations/:userToken',
    document: 'operationHistory',
    shape: 'plain',
    variables: (request) => ({
      userToken: param(request, 'userToken'),
      destinationPhone: phoneOf(request, 'destinationPhone') ?? phoneOf(request, 'phone'),
    }),
    present: presentHistory,
  },
  {
    method: 'GET',
    url: '/v1/user/operations/detail/:id',
    document: 'operationDetail',
    shape: 'plain',
    variables: (request) => ({ id: param(request, 'id') }),
    present: presentDetail,
  },
  {
    method: 'GET',
    url: '/v1/user/operations/frequent/:userToken/:limit',
    document: 'frequentContacts',
    shape: 'plain',
    variables: (request) => ({ userToken: param(request, 'userToken'), limit: param(request, 'limit') }),
    present: presentFrequent,
  },
  {
    method: 'GET',
    url: '/v1/user/token-v2',
    document: 'userToken',
    shape: 'plain',
    variables: (request) => ({
      phoneNumber: phoneOf(request, 'phoneNumber'),
      email: emailOf(request, 'email'),
    }),
    present: presentToken,
  },
  {
    method: 'POST',
    url: '/v1/user/register-v2',
    document: 'registerUser',
    shape: 'coded',
    variables: (request) => ({ body: bodyText(request) }),
    present: presentRegistered,
  },
  {
    method: 'POST',
    url: '/v1/user/contacts/:userToken',
    document: 'createContact',
    shape: 'plain',
    variables: bodyOfUser,
    present: presentContact,
  },
  {
    method: 'POST',
    url: '/v1/user/payment-methods/card/:userToken',
    document: 'addCard',
    shape: 'plain',
    variables: bodyOfUser,
    present: presentCard,
  },
  {
    method: 'POST',
    url: '/v1/user/payment-methods/ubn/:userToken',
    document: 'addUbn',
    shape: 'plain',
    variables: bodyOfUser,
    present: presentUbn,
  },
];

function bodyOfUser(request: FastifyRequest): Readonly<Record<string, unknown>> {
  return { userToken: param(request, 'userToken'), body: bodyText(request) };
}

function param({ params }: FastifyRequest, name: string): string {
  return (params as Readonly<Record<string, string>>)[name] ?? '';
}

/** A `+` that was not escaped arrives as a blank, and no number begins with one. */
function phoneOf(request: FastifyRequest, name: string): string | null {
  return queryOf(request, name)?.replace(/^ /, '+') ?? null;
}

/** The same, and no address has a blank anywhere. */
function emailOf(request: FastifyRequest, name: string): string | null {
  return queryOf(request, name)?.replaceAll(' ', '+') ?? null;
}

/** The value of a query parameter; null when it is absent or empty. Repeated, it is a list, which nothing is found by. */
function queryOf({ query }: FastifyRequest, name: string): string | null {
  const value = (query as Readonly<Record<string, string | string[]>>)[name];
  return value === undefined || value.length === 0 ? null : String(value);
}
