// English texts of changes of endpoints and webhooks. Spanish has the same keys: `es-endpoints.ts` does not compile otherwise.

export const endpointActs = {
  description: 'Description',
  add: 'Add an endpoint',
  addHow:
    'Each event is also sent to this URL, signed with a secret of its own. The secret is shown once, after you add the endpoint.',
  edit: 'Edit',
  editHow:
    'The change applies to new webhooks within 2 seconds. Webhooks that are already stored keep their URL, signature scheme and own headers, until you send them to the new URL. A URL on another server loses the own headers, unless you write them again.',
  save: 'Save',
  remove: 'Delete',
  removeHow: (waiting: string) =>
    `Nothing more is sent to this URL. Webhooks that wait for it are given up (now: ${waiting}). Its secret is lost. This cannot be undone.`,
  pauseHow: 'New webhooks and retries are kept until you resume the endpoint. None is lost.',
  resumeHow: (waiting: string) => `Webhooks that were kept are sent now, the oldest first (now: ${waiting}).`,
  testHow: 'A signed webhook with the event “test” is sent to this URL and is listed with the others.',
  testWebhook: 'Test webhook:',
  checkTest: 'Compare it with what your receiver got: paste its signature below.',
  scheme: 'Signature scheme',
  schemes: {
    DOCUMENTED: 'As documented (X-Webhook-Signature)',
    STANDARD_WEBHOOKS: 'Standard Webhooks (webhook-signature)',
    HTTP_MESSAGE_SIGNATURES: 'HTTP message signatures (RFC 9421)',
  },
  schemeHow: {
    STANDARD_WEBHOOKS:
      'The libraries of Standard Webhooks verify these webhooks with the secret. A secret of your own that they cannot read must be replaced first.',
    HTTP_MESSAGE_SIGNATURES:
      'Webhooks are signed with an Ed25519 key. Your receiver needs only the public key, which the endpoint shows.',
  },
  publicKeys: 'Public keys (Ed25519)',
  ownHeaders: 'Own headers',
  headers:
    'Own headers, one on each line (Name: value). Values are not shown again; a change replaces all headers',
  events: 'Events',
  allEvents: 'All events, also future ones',
  eventVersion: 'Version of events',
  eventVersionHow:
    'Bodies of new webhooks keep the shape of this version. The event catalogue says how long each version is supported.',
  missed: 'Send missed webhooks to this URL',
  missedNone: 'No webhook for a former URL of this endpoint is pending or undelivered.',
  /** @param shown the number, as the reader writes numbers */
  missedCount: (count: number, shown: string) =>
    count === 1
      ? '1 webhook for a former URL of this endpoint is pending or undelivered. It is sent to the current URL, signed with the current secret.'
      : `${shown} webhooks for a former URL of this endpoint are pending or undelivered. They are sent to the current URL, signed with the current secret.`,
  missedStart: 'Send them',
  missedStarted: 'They are being sent. The list of webhooks shows the progress.',
  sendNow: 'Send now',
  sendNowHow:
    'The next attempt is made now instead of at its time. If it fails, the following attempt is due by the schedule.',
  sendNowDone: 'The webhook is sent now.',
  replayHow: (url: string) => `The same webhook, with the same id, is sent again to ${url}.`,
  toCurrent: 'Send to the current URL',
  toCurrentHow: (former: string, url: string) =>
    `The webhook was for ${former}. The same webhook, with the same id, is sent to ${url}, signed with the current secret. The former URL stays recorded.`,
  formerUrl: 'Former URL',
  until: 'until',
  signatureCheck: {
    verb: 'Check a signature',
    how: 'Paste the values that your receiver got. The check runs in this page; nothing is sent.',
    signature: 'Value of X-Webhook-Signature, X-RAAS-Signature or webhook-signature',
    timestamp: 'Value of X-RAAS-Timestamp or webhook-timestamp, if present',
    messageId: 'Value of webhook-id, if present',
    valid: 'The signature is valid.',
    invalid:
      'The signature does not match. Usual cause: the body was parsed and serialized again. Check the raw bytes.',
    malformed:
      'This is not a signature that can be checked here. Expected t=1700000000,v1=…, 64 hexadecimal digits with a timestamp, v1,… with a timestamp and an id, or 44 characters of base64.',
  },
};
