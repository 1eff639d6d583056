// Texts of timelines, and of the problems that they show.

export const timeline = {
  kinds: {
    status: 'Status',
    request: 'Request',
    phase: 'Phase',
    webhook: 'Webhook',
    link: 'Link',
  },
  isCut: 'The earliest entries are missing: there are too many, or they are no longer stored.',
  problems: 'Problems',
  subjects: { OPERATION: 'Operation', REMITTANCE: 'Atomic call', REQUEST_MONEY: 'Money request' },
  actions: {
    WAIT: 'No action is needed: it is retried automatically.',
    REPEAT_SAME_REQUEST:
      'Your server must send the same request again with the same id, never with another one.',
    REQUEST_AGAIN: 'Your server must send a new request with a new id.',
    CORRECT_AND_REQUEST_AGAIN: 'Your server must send a corrected request with a new id.',
    COMPLETE_IDENTITY_CHECK:
      'The customer must complete an identity check. Then your server must send a new request with a new id.',
    UNBLOCK_USER:
      'Decide whether to unblock the customer. If you do, your server must send a new request with a new id.',
    MEND_ENDPOINT_AND_REPLAY: 'Fix the receiver at the webhook URL, then send the webhook again.',
    RESUME_ENDPOINT: 'Resume the endpoint of the webhook: then the webhook is sent.',
    CONTACT_SUPPORT: 'Contact the support of the platform. Do not request the money again.',
    ASK_OPERATOR:
      'The platform reviews the payment. Do not request the money again; for questions, contact the support of the platform.',
  },
  title: 'Timeline',
};
