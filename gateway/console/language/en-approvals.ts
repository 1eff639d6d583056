// English texts of approvals. Spanish has the same keys: `es-approvals.ts` does not compile otherwise.

export const approvals = {
  title: 'Approvals',
  open: (count: number) => (count === 1 ? '1 open' : `${count} open`),
  how: 'An administrator must approve these changes, and cannot be the person who asked. A request that nobody decides within 24 hours expires, and nothing changes.',
  off: 'No change needs an approval. The operator of the service sets which ones do.',
  none: 'No request yet. A change that needs an approval waits here for the decision.',
  waits: 'Nothing was changed. An administrator who is another person must approve this until',
  seeAll: 'See approvals',
  requestedBy: 'Asked by',
  decidedBy: 'Decided by',
  change: 'Change',
  approve: 'Approve',
  approveHow: (person: string) =>
    `You approve a change that ${person} asked for. It is made now, once, and both names are in the request log.`,
  secretHow:
    'If it makes a key or a secret, you see it once, and the person who asked does not. Hand it over in a safe way.',
  reject: 'Reject',
  rejectHow: 'The change is not made. It can be asked for again.',
  withdraw: 'Withdraw',
  madeSecret: 'New key or secret (shown only once, only to you):',
  operations: {
    createApiKey: 'Create an API key',
    rotateApiKey: 'Replace an API key',
    regenerateWebhookSecret: 'Replace the webhook secret',
    rotateWebhookSecret: 'Replace the webhook secret',
    updateWebhookConfig: 'Change the webhook configuration',
    createWebhookEndpoint: 'Add an endpoint',
    updateWebhookEndpoint: 'Change an endpoint',
    deleteWebhookEndpoint: 'Delete an endpoint',
    updateOperationalEventsConfig: 'Change the receivers of operational events',
    replayWebhookDeliveries: 'Send many webhooks again',
  },
};
