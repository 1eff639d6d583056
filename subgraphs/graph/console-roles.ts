import type { ConsoleAccess } from '../kernel/principal.ts';

/**
 * The lowest access of a console session that runs each mutation of the graph; the higher ones run it too. `key`: API keys alone
 * run it. `platform`: the platform's operators with the access `operate`. The scopes that the mutations declare enforce it, and
 * `gateway/app/console-roles.test.ts` compares the two for each mutation of the schema. Contact data needs `support`, by the
 * scope `partner_contact`.
 */
export const MUTATION_ACCESS: Readonly<Record<string, ConsoleAccess | 'key' | 'platform'>> = {
  replayWebhookDelivery: 'support',
  replayWebhookDeliveries: 'support',
  sendWebhookDeliveryNow: 'support',
  stopWebhookReplay: 'support',

  addCard: 'operate',
  addUbn: 'operate',
  blockUser: 'operate',
  cancelRequestMoney: 'operate',
  createCipTicket: 'operate',
  createContact: 'operate',
  createLink: 'operate',
  createQuote: 'operate',
  createRequestMoney: 'operate',
  createWebhookEndpoint: 'operate',
  deleteWebhookEndpoint: 'operate',
  fulfilDataRequest: 'operate',
  pauseWebhookEndpoint: 'operate',
  preQuoteLite: 'operate',
  registerUser: 'operate',
  requestMoneyV2: 'operate',
  resolveDiscrepancy: 'operate',
  resumeWebhookEndpoint: 'operate',
  revokeBrowserToken: 'operate',
  revokeLink: 'operate',
  sendTestWebhook: 'operate',
  simulateCip: 'operate',
  simulateDataRequest: 'operate',
  simulateLinkOpened: 'operate',
  simulateOperationStatus: 'operate',
  simulateRequestMoneyStatus: 'operate',
  unblockUser: 'operate',
  updateWebhookEndpoint: 'operate',

  advanceSandboxClock: 'admin',
  approve: 'admin',
  eraseUser: 'admin',
  regenerateWebhookSecret: 'admin',
  rejectApproval: 'admin',
  resetSandbox: 'admin',
  revokeApiKey: 'admin',
  revokeConsoleSession: 'admin',
  rotateWebhookSecret: 'admin',
  updateOperationalEventsConfig: 'admin',
  updateWebhookConfig: 'admin',
  // In sessions that an API key's link opened.
  createApiKey: 'admin',
  rotateApiKey: 'admin',

  createBrowserToken: 'key',
  createConsoleLink: 'key',
  requestMoneyFull: 'key',

  failRemittance: 'platform',
  retryRemittance: 'platform',
};
