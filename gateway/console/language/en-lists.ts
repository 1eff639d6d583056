// English texts of lists, of the keyboard and of the page of a payment.

export const lists = {
  statuses: 'Statuses',
  presets: { '1h': 'Last hour', '24h': '24 hours', '7d': '7 days', '30d': '30 days' },
  anyTime: 'Any time',
  times: 'Time',
  view: 'Save this view',
  viewName: 'Name of the view',
  viewHow: 'The name and the filters become the address of this page. Bookmark it or send it to somebody.',
  viewApply: 'Name it',
  copyLink: 'Copy link',
  fullFile: 'The file has 100,000 rows, the most that it can have. For older rows, choose an earlier time.',
  /** How records come to be, with the next step. */
  empty: {
    operations:
      'No operations yet. One appears when a payer begins to pay a money request, or an atomic call or a v2 request succeeds.',
    moneyRequests:
      'No money requests yet. Your server creates one with POST /v1/request-money or the mutation createRequestMoney.',
    remittances:
      'No atomic calls yet. Your server makes one with POST /v1/user/operations/request-money-full or the mutation requestMoneyFull.',
    deliveries:
      'No webhooks yet. One is sent to each of your endpoints when a payment changes. Try it with "Send a test webhook" under Endpoints.',
    users:
      'No users yet. One is created with its first link or atomic call, or with the mutation registerUser.',
    links: 'No links yet. Your server creates one with POST /partner/links or the mutation createLink.',
    requests:
      'No requests in the last 7 days. A request of an API key or a session appears here if it fails, changes something or shows contact data.',
  },
  /** Sends a logged request anew. */
  repeat: {
    verb: 'Send as a new request',
    how: 'The log keeps no bodies. The values that the money request still has are filled in; enter the rest. This creates a money request in the sandbox, with a new reference.',
    unknown: 'No money request has this reference. Enter all values.',
    firstName: 'First name',
    lastName: 'Last name',
    state: 'State, if the route needs one',
    account: 'Account number',
    provider: 'Provider that pays out the cash',
  },
};

export const keyboard = {
  title: 'Keyboard',
  open: 'Keyboard shortcuts',
  search: 'Go to the search',
  next: 'Next row',
  previous: 'Previous row',
  enter: 'Open the row',
  help: 'Show this help',
  isOn: 'Use keyboard shortcuts',
};

export const navigation = {
  menu: 'Menu',
  groups: {
    payments: 'Payments',
    webhooks: 'Webhooks',
    people: 'People',
    access: 'Access',
  },
};

export const payment = {
  tabs: 'Parts of the payment',
  webhooks: 'Webhooks',
  /** @param shown the number, as the reader writes numbers */
  failing: (shown: string) => `${shown} not delivered`,
  /** @param shown the number, as the reader writes numbers */
  undelivered: (count: number, shown: string) =>
    count === 1
      ? '1 webhook was not delivered: your server may not know of this.'
      : `${shown} webhooks were not delivered: your server may not know of this.`,
  noWebhooks:
    'No webhook about this payment is stored. When the payment changes, one is sent to each endpoint that takes the event.',
  attempts: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
  ids: 'Ids',
  steps: 'Progress',
  states: { done: 'done', current: 'now', failed: 'failed', ended: 'ended', ahead: 'to come' },
};
