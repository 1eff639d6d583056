import { addressOf } from '../filters.ts';
import { ROOT, SERVICE } from '../root.ts';

/** Where the screens of the platform's operators are. */
const PLATFORM_ROOT = `${ROOT}/platform`;

/** Where the screens of reserved requests are; they have no list. */
export const RESERVATIONS = `${ROOT}/requests-by-v2`;

const below = (folder: string) => (id: string) => `${ROOT}/${folder}/${encodeURIComponent(id)}`;

/** The address of each record's screen. */
export const pathOf = {
  operation: below('operations'),
  moneyRequest: below('money-requests'),
  remittance: below('atomic-calls'),
  reservation: below('requests-by-v2'),
  delivery: below('webhooks'),
  user: below('users'),
  link: below('links'),
  statement: below('statements'),
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
  statements: `${ROOT}/statements`,
  discrepancies: `${ROOT}/discrepancies`,
  deliveries: `${ROOT}/webhooks`,
  endpoints: `${ROOT}/endpoints`,
  users: `${ROOT}/users`,
  links: `${ROOT}/links`,
  keys: `${ROOT}/keys`,
  approvals: `${ROOT}/approvals`,
  requests: `${ROOT}/requests`,
  sessions: `${ROOT}/sessions`,
  search: `${ROOT}/search`,
} as const;

const docs = `${SERVICE}/docs`;

/** The steps that an empty screen can offer: screens, and pages of the documentation. Their labels are `empty.next` of the words. */
export const NEXT_STEPS = {
  overview: PATHS.overview,
  endpoints: PATHS.endpoints,
  users: PATHS.users,
  quickstart: `${docs}/quickstart-rest`,
  sandbox: `${docs}/sandbox`,
  webhooks: `${docs}/webhooks`,
} as const;

/** The addresses of the screens of the platform's operators. */
export const PLATFORM_PATHS = {
  tenants: `${PLATFORM_ROOT}/partners`,
  stuckCalls: `${PLATFORM_ROOT}/stuck-calls`,
  queues: `${PLATFORM_ROOT}/queues`,
  leases: `${PLATFORM_ROOT}/leases`,
  events: `${PLATFORM_ROOT}/events`,
  processes: `${PLATFORM_ROOT}/processes`,
  settings: `${PLATFORM_ROOT}/settings`,
  operatorLog: `${PLATFORM_ROOT}/log`,
} as const;

/** Whether a path without a query is below the screens of the platform's operators. */
export function isOfOperators(path: string): boolean {
  return path === PLATFORM_ROOT || path.startsWith(`${PLATFORM_ROOT}/`);
}

/** Whether a path without a query is that of a screen of partners. */
export function isOfPartners(path: string): boolean {
  return [...Object.values(PATHS), RESERVATIONS].some((screen) => isIn(path, screen));
}

/** Whether a path is that of a screen, or below it. A slash at the end does not count. */
export function isIn(path: string, screen: string): boolean {
  return `${path}/` === screen || path === screen || path.startsWith(`${screen}/`);
}
