import type { ErrorCode } from '../kernel/errors/catalogue.ts';

// Values of the documents that events show. The parts of the product that decide about them take them from here.

/** Public status of a money request (document 2, "States and transitions"). */
export const MONEY_REQUEST_STATUSES = [
  'pending',
  'processing',
  'completed',
  'rejected',
  'cancelled',
] as const;
export type MoneyRequestStatus = (typeof MONEY_REQUEST_STATUSES)[number];

/** The steps of the worker of atomic calls in their order (document 1, "What the service does"). */
export const PHASES = ['CIP', 'CONTACT', 'PAYMENT_METHOD', 'REQUEST_MONEY'] as const;
export type Phase = (typeof PHASES)[number];

/** Data of a user that a partner can send (document 3, "Link") and that can be requested. */
export const USER_DATA_FIELDS = ['name', 'idType', 'idNumber', 'dob', 'paymentMethod', 'idImage'] as const;
export type UserDataField = (typeof USER_DATA_FIELDS)[number];

/** Codes of document 1's answers and outcomes, in its order (document 1, "Errors"). */
export const REMITTANCE_ERROR_CODES = [
  'ERROR_TENANT_NOT_FOUND',
  'ERROR_CIP_NOT_FOUND',
  'ERROR_CIP_NOT_COMPLETED',
  'ERROR_MUST_PERFORM_LEVEL_ONE_FIRST',
  'ERROR_SUBSCRIBER_NOT_FOUND',
  'CARD_VERIFICATION_ERROR',
  'ERROR_CARD_VERIFICATION',
  'ERROR_PAYMENT_METHOD_NOT_FOUND',
  'ERROR_ERROR_ADD_SOURCE_UBN_ERROR',
  'ERROR_CONTACT_NOT_FOUND',
  'ERROR_COUNTRY_NOT_SUPPORTED',
  'ERROR_INVALID_COUNTRY_CODE',
  'ERROR_PHONE_NUMBER_NOT_SUPPORTED',
  'ERROR_INVALID_OPERATION',
  'ERROR_OPERATION_NOT_FOUND',
  'ERROR_OPERATION_ALREADY_COMPLETED',
  'ERROR_INTERNAL_SERVER_ERROR',
  'ERROR_REQUEST_MONEY_FULL',
  'ERROR_INVALID_PARTNER_TOKEN',
  'ERROR_INVALID_AMOUNT_ERROR',
  'ERROR_INVALID_CURRENCY_CODE',
  'ERROR_CORRELATION_ID_REQUIRED',
  'ERROR_CORRELATION_ID_ALREADY_USED',
  'ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED',
  'INVALID_PHONE_NUMBER',
  'INVALID_NAME',
  'ERROR_UBN_NUMBER_REQUIRED',
  'ERROR_INVALID_DATE_OF_BIRTH',
] as const satisfies readonly ErrorCode[];
