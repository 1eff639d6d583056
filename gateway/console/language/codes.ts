// Words for codes that are plain text in the graph, each in English and in Spanish. A code without words is shown as it is.

import { FailureCause, OperationStatus, RemittancePhase, RequestMoneyStatus } from '../documents/types.ts';
import type { Language } from '../format.ts';
import { VALUES } from './names.ts';

type Texts = readonly [english: string, spanish: string];

/** `statusDetails` that the service sets itself; partners can set other texts. */
const DETAILS: Readonly<Record<string, Texts>> = {
  RequestSent: ['Payer was asked', 'Se le pidió al pagador'],
  AwaitingPayment: ['Waiting for the payer', 'A la espera del pagador'],
  PaymentInProgress: ['Payer is paying', 'El pagador está pagando'],
  PaymentFailed: ['Payment failed', 'El pago falló'],
  Expired: VALUES.EXPIRED,
};

/** Why an attempt to send a webhook failed. */
const ATTEMPT_ERRORS: Readonly<Record<string, Texts>> = {
  http_status: ['Rejected by the receiver', 'Rechazado por el receptor'],
  redirect: ['Redirected by the receiver', 'Redirigido por el receptor'],
  timeout: ['No answer in time', 'Sin respuesta a tiempo'],
  network: ['No connection', 'Sin conexión'],
  tls: ['TLS failed', 'Falló TLS'],
  refused_address: ['The address is not allowed', 'La dirección no está permitida'],
  bad_url: ['Invalid URL', 'URL no válida'],
  poison: ['The sender crashed', 'Falló el emisor'],
  endpoint_deleted: ['The endpoint was deleted', 'Se eliminó el destino'],
};

/** The words of a code; the code itself if it has none. */
export function wordsOfCode(code: string, language: Language): string {
  const texts = [DETAILS, ATTEMPT_ERRORS].find((table) => Object.hasOwn(table, code))?.[code];
  const value = NAMED.find((one) => one === nameOf(code));
  const [english, spanish] = texts ?? (value && VALUES[value]) ?? [code, code];
  return language === 'es' ? spanish : english;
}

/** Whether a text is the name of a status of an operation. */
export function isStatusName(code: string): boolean {
  return Object.hasOwn(OperationStatus, nameOf(code));
}

/** The values that the service uses as texts. Names of other values, such as "Succeeded", may be a partner's text. */
const NAMED = [OperationStatus, RequestMoneyStatus, RemittancePhase, FailureCause].flatMap((values) =>
  Object.values(values),
);

/** `ReadyForPickup` and READY_FOR_PICKUP are the same status. */
function nameOf(code: string): string {
  return code.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
}
