import type { FastifyRequest, HTTPMethods } from 'fastify';
import { bodyText } from '../shared/body-text.ts';
import type { DocumentName } from '../shared/documents.ts';
import type { Presenter } from '../shared/presenter.ts';
import {
  presentActivity,
  presentBlocked,
  presentCreatedLink,
  presentFulfilled,
  presentLink,
  presentLinks,
  presentMe,
  presentOperation,
  presentOperations,
  presentQuote,
  presentReadiness,
  presentRegenerated,
  presentRevokedLink,
  presentTicket,
  presentUnblocked,
  presentUsers,
  presentWebhookConfig,
} from './presenters.ts';

/** One documented call: what it asks of the graph, and how the answer is put. */
export interface Call {
  readonly method: HTTPMethods;
  readonly url: string;
  readonly document: DocumentName;
  variables(request: FastifyRequest): Readonly<Record<string, unknown>>;
  readonly present: Presenter;
  /** Of a success; default 200. */
  readonly status?: number;
  /** Whether the object is answered without the success envelope (document 3, "Envelopes"). */
  readonly isBare?: boolean;
  /** Whether a body with an image may be larger than others. */
  readonly takesImage?: boolean;
}

const LINK_FILTERS = ['page', 'limit', 'createdFrom', 'createdTo', 'visibility', 'status', 'referenceId'];
const USER_FILTERS = ['page', 'limit', 'createdFrom', 'createdTo', 'referenceId', 'cipStatus', 'blocked'];
const OPERATION_FILTERS = ['page', 'limit', 'createdFrom', 'createdTo', 'status', 'referenceId'];

/** The calls about links. */
const LINKS: readonly Call[] = [
  {
    method: 'GET',
    url: '/partner/links',
    document: 'partnerLinks',
    variables: queryOf(LINK_FILTERS),
    present: presentLinks,
  },
  {
    method: 'POST',
    url: '/partner/links',
    document: 'createPartnerLink',
    variables: bodyOf(),
    present: presentCreatedLink,
    status: 201,
    takesImage: true,
  },
  {
    method: 'GET',
    url: '/partner/links/:linkId',
    document: 'partnerLink',
    variables: paramOf('linkId'),
    present: presentLink,
  },
  {
    method: 'GET',
    url: '/partner/links/:linkId/activity',
    document: 'partnerLinkActivity',
    variables: paramOf('linkId'),
    present: presentActivity,
  },
  {
    method: 'GET',
    url: '/partner/links/:linkId/readiness',
    document: 'partnerLinkReadiness',
    variables: paramOf('linkId'),
    present: presentReadiness,
  },
  {
    method: 'POST',
    url: '/partner/links/:linkId/revoke',
    document: 'revokePartnerLink',
    variables: paramOf('linkId'),
    present: presentRevokedLink,
  },
  {
    method: 'POST',
    url: '/partner/cip/tickets',
    document: 'createPartnerCipTicket',
    variables: bodyOf(),
    present: presentTicket,
  },
  {
    method: 'PUT',
    url: '/partner/data-requests/:dataRequestId',
    document: 'fulfilPartnerDataRequest',
    variables: bodyOf('dataRequestId'),
    present: presentFulfilled,
    takesImage: true,
  },
];

/** The calls about users and their operations. */
const USERS: readonly Call[] = [
  {
    method: 'GET',
    url: '/partner/users',
    document: 'partnerUsers',
    variables: queryOf(USER_FILTERS),
    present: presentUsers,
  },
  {
    method: 'POST',
    url: '/partner/users/:userId/block',
    document: 'blockPartnerUser',
    variables: bodyOf('userId'),
    present: presentBlocked,
  },
  {
    method: 'POST',
    url: '/partner/users/:userId/unblock',
    document: 'unblockPartnerUser',
    variables: paramOf('userId'),
    present: presentUnblocked,
  },
  {
    method: 'GET',
    url: '/partner/operations',
    document: 'partnerOperations',
    variables: queryOf(OPERATION_FILTERS),
    present: presentOperations,
  },
  {
    method: 'GET',
    url: '/partner/operations/:operationId',
    document: 'partnerOperation',
    variables: paramOf('operationId'),
    present: presentOperation,
  },
];

/** The calls about the partner itself. */
const PARTNER: readonly Call[] = [
  { method: 'GET', url: '/partner/me', document: 'partnerMe', variables: () => ({}), present: presentMe },
  {
    method: 'GET',
    url: '/partner/webhooks/config',
    document: 'partnerWebhookConfig',
    variables: () => ({}),
    present: presentWebhookConfig,
    isBare: true,
  },
  {
    method: 'POST',
    url: '/partner/webhooks/config/regenerate-secret',
    document: 'regeneratePartnerSecret',
    variables: () => ({}),
    present: presentRegenerated,
    isBare: true,
  },
  {
    method: 'POST',
    url: '/partner/pre-quote-lite',
    document: 'partnerPreQuote',
    variables: bodyOf(),
    present: presentQuote,
  },
];

/** The calls of document 3. */
export const CALLS: readonly Call[] = [...LINKS, ...USERS, ...PARTNER];

function bodyOf(param?: string): Call['variables'] {
  return (request) => ({
    ...(param === undefined ? {} : { [param]: paramValue(request, param) }),
    body: bodyText(request),
  });
}

function paramOf(name: string): Call['variables'] {
  return (request) => ({ [name]: paramValue(request, name) });
}

/** The query parameters that the call knows, as text; null for those that are absent. */
function queryOf(names: readonly string[]): Call['variables'] {
  return ({ query }) => Object.fromEntries(names.map((name) => [name, queryValue(query, name)]));
}

function paramValue({ params }: FastifyRequest, name: string): string {
  return (params as Readonly<Record<string, string>>)[name] ?? '';
}

/** Repeated, it is a list, which is no value of any parameter. */
function queryValue(query: unknown, name: string): string | null {
  const value = (query as Readonly<Record<string, string | string[]>>)[name];
  return value === undefined ? null : String(value);
}
