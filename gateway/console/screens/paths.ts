import { addressOf } from '../filters.ts';

/** Where the console is served. */
export const ROOT = '/console';

const below = (folder: string) => (id: string) => `${ROOT}/${folder}/${encodeURIComponent(id)}`;

/** The address of each record's screen. */
export const pathOf = {
  operation: below('operations'),
  moneyRequest: below('money-requests'),
  remittance: below('atomic-calls'),
  delivery: below('webhooks'),
  user: below('users'),
  link: below('links'),
};

/** The screen of a user, where one of its contacts or payment methods is marked. @param nodeId of the marked record */
export function pathOfFound(userId: string, nodeId: string): string {
  return addressOf(pathOf.user(userId), { found: nodeId });
}

/** The addresses of the screens without a record. */
export const PATHS = {
  overview: `${ROOT}/`,
  operations: `${ROOT}/operations`,
  moneyRequests: `${ROOT}/money-requests`,
  remittances: `${ROOT}/atomic-calls`,
  deliveries: `${ROOT}/webhooks`,
  endpoints: `${ROOT}/endpoints`,
  users: `${ROOT}/users`,
  links: `${ROOT}/links`,
  keys: `${ROOT}/keys`,
  requests: `${ROOT}/requests`,
  sessions: `${ROOT}/sessions`,
  search: `${ROOT}/search`,
} as const;
