/** A header of every webhook of a document: its name as it is sent, its purpose, and whether it is always there. */
type WebhookHeader = readonly [name: string, description: string, isRequired: boolean];

/** How the webhooks of a document are signed, and the headers that name and sign them. */
interface Contract {
  /** Name of the header set in records of deliveries. */
  readonly scheme: 'outcome' | 'request_money' | 'partner';
  readonly headers: readonly WebhookHeader[];
}

/** The header that names a delivery. */
const DELIVERY_ID: WebhookHeader = [
  'X-Webhook-Delivery-Id',
  'The same for every attempt: process each id once.',
  true,
];

/** The contracts of webhooks, by document: document 1, "Events"; document 2, "Headers of every delivery"; document 3, "Events". */
export const CONTRACTS = {
  1: {
    scheme: 'outcome',
    headers: [
      [
        'x-raas-signature',
        'Base64 of HMAC-SHA256 over the raw body under the shared secret; present if a secret is configured.',
        false,
      ],
      DELIVERY_ID,
    ],
  },
  2: {
    scheme: 'request_money',
    headers: [
      ['X-Webhook-Event', 'Copy of `event`.', true],
      DELIVERY_ID,
      [
        'X-Webhook-Signature',
        '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` under the webhook secret; present if a secret is configured.',
        false,
      ],
    ],
  },
  3: {
    scheme: 'partner',
    headers: [
      [
        'X-RAAS-Signature',
        'HMAC-SHA256 of `<X-RAAS-Timestamp>.<raw body>` under the webhook secret, in lower-case hexadecimal digits; present if a secret is configured.',
        false,
      ],
      ['X-RAAS-Timestamp', 'Unix seconds of the attempt.', true],
      ['X-RAAS-Event', 'Copy of `event`.', true],
      DELIVERY_ID,
    ],
  },
} as const satisfies Readonly<Record<number, Contract>>;

/** A document whose contract webhooks follow. */
export type ContractDocument = keyof typeof CONTRACTS;
