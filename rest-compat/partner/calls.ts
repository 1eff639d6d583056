import { CipStatus, LinkStatus } from '../../schema/operations/types.ts';
import { PARTNER_STATUSES } from '../../subgraphs/operations/index.ts';
import { inLowerCase } from '../shared/enum-names.ts';
import { type Answers, queryParameter } from '../shared/openapi/document.ts';
import { foundOutcome, payloadOutcome, success } from '../shared/outcome.ts';
import { bodyOf, pathOf, queryOf } from '../shared/request.ts';
import type { PartnerCall } from './call.ts';
import {
  blocking,
  foundLink,
  fulfilment,
  listedLink,
  operationRecord,
  pageOf,
  partner,
  readiness,
  ticketRecord,
  timeline,
  userRecord,
  webhookConfiguration,
} from './presenters.ts';
import { quoteOutcome } from './quote-outcome.ts';

const oneOf = (values: readonly string[]) => ({ type: 'string', enum: values });
const PAGE = [
  queryParameter('page', 'Number of the page, from 1.', { type: 'integer', minimum: 1, default: 1 }),
  queryParameter('limit', 'Items per page.', { type: 'integer', minimum: 1, maximum: 100, default: 20 }),
  queryParameter('createdFrom', 'Only items created at or after this ISO 8601 date or instant.'),
  queryParameter('createdTo', 'Only items created on or before this date, or at or before this instant.'),
];
const REFERENCE = queryParameter('referenceId', "The partner's own id of the user.");
const LINK_FILTERS = [
  ...PAGE,
  queryParameter(
    'visibility',
    'Only links that are neither expired nor revoked (`active`), or expired and not revoked (`expired`).',
    oneOf(['active', 'expired']),
  ),
  queryParameter('status', 'Only links in this status.', oneOf(inLowerCase(LinkStatus))),
  REFERENCE,
];
const USER_FILTERS = [
  ...PAGE,
  REFERENCE,
  queryParameter(
    'cipStatus',
    'Only users with this state of the identity check.',
    oneOf(inLowerCase(CipStatus)),
  ),
  queryParameter(
    'blocked',
    'Only users that are blocked (`true`) or not blocked (`false`).',
    oneOf(['true', 'false']),
  ),
];
const OPERATION_FILTERS = [
  ...PAGE,
  queryParameter('status', 'Only operations in this status.', oneOf(PARTNER_STATUSES)),
  REFERENCE,
];

const NO_LINK: Answers = { 404: ['Refused', 'LINK_NOT_FOUND'] };
const ERASED: Answers = { 403: ['Refused', 'USER_ERASED or FORBIDDEN'] };
const NO_USER: Answers = { 404: ['Refused', 'USER_NOT_FOUND'] };

const LINKS: readonly PartnerCall[] = [
  {
    method: 'GET',
    path: '/partner/links',
    operationId: 'listLinks',
    summary: "Lists the partner's links, newest first",
    tag: 'links',
    parameters: LINK_FILTERS,
    answers: { 200: ['Links', 'One page'] },
    document: 'partnerLinks',
    variables: queryOf(LINK_FILTERS),
    present: ({ linkPage }) => pageOf(linkPage, listedLink),
  },
  {
    method: 'POST',
    path: '/partner/links',
    operationId: 'createLink',
    summary: 'Creates a link, and its user if the reference is new',
    tag: 'links',
    body: 'CreateLink',
    takesImage: true,
    answers: {
      201: ['LinkAnswer', 'The link'],
      403: ['Refused', 'FLOW_NOT_ALLOWED, USER_BLOCKED, USER_ERASED or FORBIDDEN'],
    },
    document: 'createPartnerLink',
    variables: bodyOf(),
    present: ({ createLinkFromJson: payload }) => payloadOutcome(payload, payload.link, foundLink),
  },
  {
    method: 'GET',
    path: '/partner/links/:linkId',
    operationId: 'getLink',
    summary: 'Reads a link',
    tag: 'links',
    answers: { 200: ['LinkAnswer', 'The link'], ...NO_LINK },
    document: 'partnerLink',
    variables: pathOf('linkId'),
    present: ({ link }) => foundOutcome(link, foundLink, 'LINK_NOT_FOUND'),
  },
  {
    method: 'GET',
    path: '/partner/links/:linkId/activity',
    operationId: 'getLinkActivity',
    summary: 'Lists the events of a link, in order',
    tag: 'links',
    answers: { 200: ['TimelineAnswer', 'The timeline'], ...NO_LINK },
    document: 'partnerLinkActivity',
    variables: pathOf('linkId'),
    present: ({ link, linkActivity }) =>
      foundOutcome(link && linkActivity && { link, linkActivity }, timeline, 'LINK_NOT_FOUND'),
  },
  {
    method: 'GET',
    path: '/partner/links/:linkId/readiness',
    operationId: 'getLinkReadiness',
    summary: 'Checks whether a link has the user data that an identity check needs',
    tag: 'links',
    answers: { 200: ['ReadinessAnswer', 'The missing data'], ...NO_LINK },
    document: 'partnerLinkReadiness',
    variables: pathOf('linkId'),
    present: ({ link }) => foundOutcome(link, readiness, 'LINK_NOT_FOUND'),
  },
  {
    method: 'POST',
    path: '/partner/links/:linkId/revoke',
    operationId: 'revokeLink',
    summary: 'Revokes a link',
    tag: 'links',
    answers: { 200: ['LinkAnswer', 'The link'], ...NO_LINK, 409: ['Refused', 'LINK_ALREADY_REVOKED'] },
    document: 'revokePartnerLink',
    variables: pathOf('linkId'),
    present: ({ revokeLinkById: payload }) => payloadOutcome(payload, payload.link, foundLink),
  },
  {
    method: 'POST',
    path: '/partner/cip/tickets',
    operationId: 'createCipTicket',
    summary: 'Requests an identity check',
    tag: 'links',
    body: 'CreateCipTicket',
    answers: {
      200: ['TicketAnswer', 'The address where the user completes the verification'],
      400: ['Faulty', 'INVALID_REQUEST or INSUFFICIENT_USER_DATA'],
      403: ['Refused', 'USER_BLOCKED, USER_ERASED or FORBIDDEN'],
      ...NO_LINK,
      409: ['Refused', 'LINK_REVOKED: revoked or expired'],
    },
    document: 'createPartnerCipTicket',
    variables: bodyOf(),
    present: ({ createCipTicketFromJson: payload }) => payloadOutcome(payload, payload.ticket, ticketRecord),
  },
  {
    method: 'PUT',
    path: '/partner/data-requests/:dataRequestId',
    operationId: 'fulfilDataRequest',
    summary: 'Answers a request for user data',
    tag: 'links',
    body: 'FulfilDataRequest',
    takesImage: true,
    answers: {
      200: ['FulfilmentAnswer', 'The data was merged'],
      400: ['Faulty', 'INVALID_REQUEST or REFERENCE_MISMATCH'],
      ...ERASED,
      404: ['Refused', 'DATA_REQUEST_NOT_FOUND'],
      409: ['Refused', 'DATA_REQUEST_ALREADY_FULFILLED'],
    },
    document: 'fulfilPartnerDataRequest',
    variables: bodyOf('dataRequestId'),
    present: ({ fulfilDataRequestFromJson: payload }) =>
      payloadOutcome(payload, payload.dataRequest, fulfilment),
  },
];

const USERS: readonly PartnerCall[] = [
  {
    method: 'GET',
    path: '/partner/users',
    operationId: 'listUsers',
    summary: "Lists the partner's users, newest first",
    tag: 'users',
    parameters: USER_FILTERS,
    answers: { 200: ['Users', 'One page'] },
    document: 'partnerUsers',
    variables: queryOf(USER_FILTERS),
    present: ({ userPage }) => pageOf(userPage, userRecord),
  },
  {
    method: 'POST',
    path: '/partner/users/:userId/block',
    operationId: 'blockUser',
    summary: 'Blocks a user: no new links, no transfers',
    tag: 'users',
    body: 'BlockUser',
    isBodyOptional: true,
    answers: {
      200: ['BlockingAnswer', 'The block; for a user that was already blocked, the first block'],
      ...NO_USER,
    },
    document: 'blockPartnerUser',
    variables: bodyOf('userId'),
    present: ({ blockUserFromJson: payload }) => payloadOutcome(payload, payload.user, blocking),
  },
  {
    method: 'POST',
    path: '/partner/users/:userId/unblock',
    operationId: 'unblockUser',
    summary: 'Unblocks a user',
    tag: 'users',
    answers: { 200: ['BlockingAnswer', 'The user is not blocked'], ...ERASED, ...NO_USER },
    document: 'unblockPartnerUser',
    variables: pathOf('userId'),
    present: ({ unblockUserById: payload }) => payloadOutcome(payload, payload.user, blocking),
  },
];

const OPERATIONS: readonly PartnerCall[] = [
  {
    method: 'GET',
    path: '/partner/operations',
    operationId: 'listOperations',
    summary: "Lists the partner's operations, newest first",
    tag: 'operations',
    parameters: OPERATION_FILTERS,
    answers: { 200: ['Operations', 'One page'] },
    document: 'partnerOperations',
    variables: queryOf(OPERATION_FILTERS),
    present: ({ operationPage }) => pageOf(operationPage, operationRecord),
  },
  {
    method: 'GET',
    path: '/partner/operations/:operationId',
    operationId: 'getOperation',
    summary: 'Reads an operation',
    tag: 'operations',
    answers: { 200: ['OperationAnswer', 'The operation'], 404: ['Refused', 'OPERATION_NOT_FOUND'] },
    document: 'partnerOperation',
    variables: pathOf('operationId'),
    present: ({ operation }) => foundOutcome(operation, operationRecord, 'OPERATION_NOT_FOUND'),
  },
];

const PARTNER: readonly PartnerCall[] = [
  {
    method: 'GET',
    path: '/partner/me',
    operationId: 'getMe',
    summary: 'Reads the partner and the scopes of its key',
    answers: { 200: ['MeAnswer', 'The partner'] },
    document: 'partnerMe',
    variables: () => ({}),
    present: ({ me }) => success(partner(me)),
  },
  {
    method: 'GET',
    path: '/partner/webhooks/config',
    operationId: 'getWebhookConfig',
    summary: 'Reads the webhook configuration; the answer has no success envelope',
    isBare: true,
    answers: { 200: ['WebhookConfig', 'The configuration'] },
    document: 'partnerWebhookConfig',
    variables: () => ({}),
    present: ({ webhookConfig }) => success(webhookConfiguration(webhookConfig)),
  },
  {
    method: 'POST',
    path: '/partner/webhooks/config/regenerate-secret',
    operationId: 'regenerateWebhookSecret',
    summary: 'Replaces the signing secret; needs the scope partner_admin; the answer has no success envelope',
    isBare: true,
    needsPartnerAdmin: true,
    answers: { 200: ['NewSecret', 'The secret, shown only once'] },
    document: 'regeneratePartnerSecret',
    variables: () => ({}),
    present: ({ regenerateWebhookSecret: payload }) =>
      payloadOutcome(payload, payload.webhookSecret, (webhookSecret) => ({
        webhookSecret,
        message: payload.message,
      })),
  },
  {
    method: 'POST',
    path: '/partner/pre-quote-lite',
    operationId: 'preQuoteLite',
    summary: 'Prices a transfer without creating one; at most 30 calls in 60 seconds per key',
    body: 'PreQuoteLite',
    answers: {
      200: ['QuoteAnswer', 'The price'],
      400: ['Faulty', 'INVALID_REQUEST or ROUTE_NOT_AVAILABLE'],
    },
    document: 'partnerPreQuote',
    variables: bodyOf(),
    present: ({ preQuoteLiteFromJson: payload }) => quoteOutcome(payload),
  },
];

/** The calls of document 3. */
export const CALLS: readonly PartnerCall[] = [...LINKS, ...USERS, ...OPERATIONS, ...PARTNER];
