import { expect, test } from '@jest/globals';
import type { DeliveryError } from '../../../subgraphs/webhooks/model.ts';
import { wordsOfCode } from './codes.ts';

test.each([
  ['AwaitingPayment', 'Waiting for the payer', 'A la espera del pagador'],
  ['ReadyForPickup', 'Ready for pickup', 'Lista para retirar'],
  ['Funded', 'Funded', 'Pagada'],
  ['card_declined', 'Card declined', 'Tarjeta rechazada'],
  ['Expired', 'Expired', 'Vencida'],
  ['REQUEST_MONEY', 'Money request', 'Solicitud de dinero'],
  ['http_status', 'Rejected by the receiver', 'Rechazado por el receptor'],
])('%s is shown as words in both languages', (code, english, spanish) => {
  expect([wordsOfCode(code, 'en'), wordsOfCode(code, 'es')]).toEqual([english, spanish]);
});

const ERRORS: Readonly<Record<DeliveryError, true>> = {
  http_status: true,
  redirect: true,
  timeout: true,
  network: true,
  tls: true,
  refused_address: true,
  bad_url: true,
  poison: true,
  endpoint_deleted: true,
};

test.each(Object.keys(ERRORS))('%s, an error of a webhook, has words', (code) => {
  expect(wordsOfCode(code, 'en')).not.toBe(code);
  expect(wordsOfCode(code, 'es')).not.toBe(wordsOfCode(code, 'en'));
});

test.each(['returned by the buyer', 'toString', '', 'ERROR_UNKNOWN_TO_THE_CONSOLE', 'Succeeded', 'Open'])(
  'A text that is no known code is shown as it is: "%s"',
  (text) => {
    expect(wordsOfCode(text, 'en')).toBe(text);
  },
);
