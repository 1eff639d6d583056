// Texts of parts of screens without any record: what fills them, and the next step. Those of lists are in `en-lists.ts`.

export const empty = {
  stuck: 'No atomic call is stuck. One that stays in a phase for over 30 seconds appears here.',
  endpoints: 'No endpoint is configured, so no webhook is sent. Add the URL of your server that takes them.',
  timeline: 'Nothing is recorded yet. Changes of the status, requests and webhooks appear here.',
  attempts: 'No attempt yet. A paused endpoint gets its webhooks when you resume it.',
  links: 'No link is stored for this user.',
  contacts: 'No contact is stored for this user.',
  paymentMethods: 'No payment method is stored for this user.',
  activity: 'No activity yet. It begins when the user opens the link.',
  keys: 'No key is valid. Your server needs one to call the API: create it here.',
  /** Links to next steps. */
  next: {
    overview: 'Go to the overview',
    quickstart: 'Read the quickstart',
    sandbox: 'Simulate payments in the sandbox',
    webhooks: 'Read the guide to webhooks',
    endpoints: 'Go to the endpoints',
    users: 'Filter the list of users',
  },
};
