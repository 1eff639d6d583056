import type { Call, DocumentName } from '../shared/call.ts';
import { type Answers, queryParameter } from '../shared/openapi/document.ts';
import { foundOutcome, payloadOutcome, success } from '../shared/outcome.ts';
import { bodyOf, pathOf, queryValue, type RestRequest } from '../shared/request.ts';
import type { ErrorShape } from './errors.ts';
import {
  contactInfo,
  createdRecord,
  foundRecord,
  fullResponse,
  listedRecord,
  paymentMethodRecord,
  userToken,
} from './presenters.ts';

/** The options that only calls of document 1 have. */
interface Details {
  /** The shape of its errors. */
  readonly shape: ErrorShape;
}
/** A call of document 1. */
export type RemittanceCall = Call<DocumentName, Details>;

const CODED: Answers = {
  400: ['Coded', 'The first check that fails, by its code'],
  401: ['Coded', 'ERROR_INVALID_PARTNER_TOKEN'],
};
const NO_USER: Answers = { 404: ['Refused', 'No such user'] };
const FOREIGN_USER: Answers = { 403: ['Refused', 'The user belongs to another tenant'] };
const INVALID_BODY: Answers = { 400: ['Refused', 'The first check that fails'] };

const OPERATIONS: readonly RemittanceCall[] = [
  {
    method: 'POST',
    path: '/v1/user/operations/request-money-full',
    operationId: 'requestMoneyFull',
    summary: 'Requests money in one atomic call',
    description:
      'Needs the scopes `partner` and `partner_full`. 200 means that the call is accepted; the outcome is sent by webhook.',
    body: 'RequestMoneyFull',
    answers: { 200: ['RequestMoneyFullResponse', 'Accepted for processing'], ...CODED },
    shape: 'coded',
    document: 'requestMoneyFull',
    variables: bodyOf(),
    present: ({ requestMoneyFullFromJson: payload }) =>
      payloadOutcome(payload, payload.remittance, fullResponse),
  },
  {
    method: 'POST',
    path: '/v1/user/operations/request-money-v2/:userToken',
    operationId: 'requestV2',
    summary: 'Requests money for a registered user',
    description:
      'The correlationId is reserved for this request. After a 500, send the same request again: it continues where the first one stopped, at the same price. Another request with that id is rejected.',
    body: 'RequestMoneyV2',
    answers: { 200: ['OperationResponsePartner', 'The operation'], ...INVALID_BODY, ...NO_USER },
    shape: 'plain',
    document: 'requestMoneyV2',
    variables: bodyOf('userToken'),
    present: ({ requestMoneyV2FromJson: payload }) =>
      payloadOutcome(payload, payload.operation, createdRecord),
  },
  {
    method: 'GET',
    path: '/v1/user/operations/:userToken',
    operationId: 'getOperations',
    summary: "Lists a user's operations",
    description: 'Newest first, at most 1,000.',
    parameters: [
      queryParameter('destinationPhone', 'Only requests to this phone; `+` may be unescaped.'),
      queryParameter('phone', 'Alias of `destinationPhone`, which takes precedence.'),
    ],
    answers: {
      200: ['Operations', 'The operations'],
      400: ['Refused', 'A parameter is given more than once'],
      ...FOREIGN_USER,
      ...NO_USER,
    },
    shape: 'plain',
    document: 'operationHistory',
    variables: (request) => ({
      ...pathOf('userToken')(request),
      destinationPhone: phoneOf(request, 'destinationPhone') ?? phoneOf(request, 'phone'),
    }),
    present: ({ operationHistory }) => success(operationHistory.map(listedRecord)),
  },
  {
    method: 'GET',
    path: '/v1/user/operations/detail/:id',
    operationId: 'getOperation',
    summary: 'An operation',
    answers: { 200: ['OperationDetailResponse', 'The operation'], 404: ['Refused', 'Unknown operation'] },
    shape: 'plain',
    document: 'operationDetail',
    variables: pathOf('id'),
    present: ({ operation }) => foundOutcome(operation, foundRecord, 'ERROR_OPERATION_NOT_FOUND'),
  },
  {
    method: 'GET',
    path: '/v1/user/operations/frequent/:userToken/:limit',
    operationId: 'getFrequentContacts',
    summary: 'Lists the contacts that a user asks for money most often',
    answers: {
      200: ['Contacts', 'Most requests first, ties by the latest'],
      400: ['Refused', 'Not a limit'],
      ...FOREIGN_USER,
      ...NO_USER,
    },
    shape: 'plain',
    document: 'frequentContacts',
    variables: pathOf('userToken', 'limit'),
    present: ({ frequentContacts }) => success(frequentContacts.map(contactInfo)),
  },
];

const USERS: readonly RemittanceCall[] = [
  {
    method: 'GET',
    path: '/v1/user/token-v2',
    operationId: 'getUserTokenV2',
    summary: 'Finds a user by phone number or email, and returns its token',
    parameters: [
      queryParameter('phoneNumber', 'Required without `email`; `+` may be unescaped.'),
      queryParameter('email', 'Required without `phoneNumber`.'),
    ],
    answers: {
      200: ['UserToken', 'The token'],
      400: ['Refused', 'The request needs exactly one of phoneNumber and email, once'],
      ...NO_USER,
    },
    shape: 'plain',
    document: 'userToken',
    variables: (request) => ({
      phoneNumber: phoneOf(request, 'phoneNumber'),
      email: emailOf(request, 'email'),
    }),
    present: ({ userToken: user }) => foundOutcome(user, userToken, 'ERROR_SUBSCRIBER_NOT_FOUND'),
  },
  {
    method: 'POST',
    path: '/v1/user/register-v2',
    operationId: 'registerUserV2',
    summary: 'Registers a user',
    body: 'RegisterUser',
    answers: { 200: ['UserToken', 'The registered user'], ...CODED },
    shape: 'coded',
    document: 'registerUser',
    variables: bodyOf(),
    present: ({ registerUserFromJson: payload }) => payloadOutcome(payload, payload.user, userToken),
  },
  {
    method: 'POST',
    path: '/v1/user/contacts/:userToken',
    operationId: 'createContact',
    summary: 'Creates a contact, or updates the one with this phone',
    body: 'CreateContact',
    answers: { 200: ['ContactInfo', 'The contact'], ...INVALID_BODY, ...NO_USER },
    shape: 'plain',
    document: 'createContact',
    variables: bodyOf('userToken'),
    present: ({ createContactFromJson: payload }) => payloadOutcome(payload, payload.contact, contactInfo),
  },
  {
    method: 'POST',
    path: '/v1/user/payment-methods/card/:userToken',
    operationId: 'addCard',
    summary: 'Adds a card for payouts',
    body: 'AddCard',
    answers: { 200: ['PaymentMethod', 'The card, by its token'], ...INVALID_BODY, ...NO_USER },
    shape: 'plain',
    document: 'addCard',
    variables: bodyOf('userToken'),
    present: ({ addCardFromJson: payload }) =>
      payloadOutcome(payload, payload.paymentMethod, paymentMethodRecord),
  },
  {
    method: 'POST',
    path: '/v1/user/payment-methods/ubn/:userToken',
    operationId: 'addUBN',
    summary: 'Adds a bank account for payouts',
    body: 'AddUbn',
    answers: { 200: ['PaymentMethod', 'The account'], ...INVALID_BODY, ...NO_USER },
    shape: 'plain',
    document: 'addUbn',
    variables: bodyOf('userToken'),
    present: ({ addUbnFromJson: payload }) =>
      payloadOutcome(payload, payload.paymentMethod, paymentMethodRecord),
  },
];

/** The calls of document 1. */
export const CALLS: readonly RemittanceCall[] = [...OPERATIONS, ...USERS];

/** The shape of the errors of a route. */
export function shapeOf(path: string | undefined): ErrorShape {
  return CALLS.find((call) => call.path === path)?.shape ?? 'plain';
}

/** A `+` that was not escaped arrives as a blank, and no number begins with a blank. */
function phoneOf(request: RestRequest, name: string): string | null {
  return filledQueryValue(request, name)?.replace(/^ /, '+') ?? null;
}

/** A `+` that was not escaped arrives as a blank, and an address has no blank outside of quotes. */
function emailOf(request: RestRequest, name: string): string | null {
  const address = filledQueryValue(request, name);
  return address?.startsWith('"') ? address : (address?.replaceAll(' ', '+') ?? null);
}

/** Here an empty parameter counts as absent. */
function filledQueryValue(request: RestRequest, name: string): string | null {
  return queryValue(request, name) || null;
}
