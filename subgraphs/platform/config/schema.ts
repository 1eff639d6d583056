import { z } from 'zod';
import { ROLES } from './roles.ts';
import {
  callsPerMinute,
  cidrList,
  count,
  flag,
  originList,
  port,
  seconds,
  subgraphUrl,
  TOKEN_KEY,
  text,
  url,
} from './values.ts';
import { WORK_SETTINGS } from './work-settings.ts';

/** One environment variable: how it is checked, what it means, and whether its value may be shown. */
export interface Setting {
  readonly type: z.ZodType;
  readonly description: string;
  readonly secret?: boolean;
}

/** Every environment variable that the product reads (decisions, section 1). The README's table is made from it. */
export const SETTINGS = {
  NODE_ENV: {
    type: z.enum(['development', 'production', 'test']).default('development'),
    description:
      '`production` requires `MONGODB_URI` and the secrets, masks internal errors, turns GraphiQL off and makes no demo tenant',
  },
  PORT: {
    type: port.default(4000),
    description: 'HTTP port of REST, GraphQL and health; 0 picks a free one',
  },
  HOST: { type: text.default('127.0.0.1'), description: 'Address to listen on; `0.0.0.0` for all' },
  PUBLIC_URL: {
    type: url(/^https?$/).optional(),
    description: 'Address under which clients reach this service; made from HOST and PORT when unset',
  },
  MONGODB_URI: {
    type: z
      .string()
      .regex(/^mongodb(\+srv)?:\/\/\S+$/, 'must be a mongodb:// or mongodb+srv:// address')
      .optional(),
    description: 'Replica set or sharded cluster; unset starts an embedded store for development',
    secret: true,
  },
  MIGRATE_ON_START: {
    type: flag.default(true),
    description:
      'Whether a start applies pending migrations of the database; with `false` it ends when there are some, and `remitgraph admin migrate` applies them before',
  },
  DATA_DIR: {
    type: text.default('.data'),
    description: 'Directory of the embedded store and of generated secrets',
  },
  EMBEDDED_STORE: {
    type: z.enum(['allow'], 'must be allow, or unset').optional(),
    description: '`allow` lets production run on the embedded store, without `MONGODB_URI`',
  },
  ROLE: { type: z.enum(ROLES).default('all'), description: 'What runs in this process' },
  SUBGRAPH_OPERATIONS_URL: {
    type: subgraphUrl,
    description: 'Address of the operations subgraph, for `ROLE=gateway`',
  },
  SUBGRAPH_USERS_URL: { type: subgraphUrl, description: 'Address of the users subgraph, for `ROLE=gateway`' },
  SUBGRAPH_LINKS_URL: { type: subgraphUrl, description: 'Address of the links subgraph, for `ROLE=gateway`' },
  SUBGRAPH_REQUEST_MONEY_URL: {
    type: subgraphUrl,
    description: 'Address of the request-money subgraph, for `ROLE=gateway`',
  },
  SUPERGRAPH_FILE: {
    type: text.optional(),
    description:
      'Supergraph that `ROLE=gateway` serves, taken over again when the file changes and at `SIGHUP`; by default the own one',
  },
  SEED_FILE: {
    type: text.optional(),
    description:
      'JSON file of tenants, routes and rates, applied at each start; a webhook secret, URL and events that partners have changed themselves stay',
  },
  INTERNAL_API_KEY: {
    type: text.optional(),
    description:
      'Value of `X-Internal-Key` on `/v1/internal/…`; in production 16 characters or more, elsewhere generated',
    secret: true,
  },
  ENCRYPTION_KEY: {
    type: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
      .optional(),
    description:
      'Master key of everything encrypted at rest, 64 hexadecimal digits; generated outside production',
    secret: true,
  },
  ENCRYPTION_KEY_PREVIOUS: {
    type: z
      .string()
      .regex(
        /^([0-9a-fA-F]{64}(,[0-9a-fA-F]{64})*)?$/,
        'must be keys of 64 hexadecimal digits separated by commas',
      )
      .transform((value) => value.split(',').filter(Boolean))
      .default([]),
    description:
      'Former master keys, separated by commas: what they sealed still opens (see `subgraphs/platform/crypto/README.md`)',
    secret: true,
  },
  API_KEY_PEPPER: {
    type: z.string().min(32, 'must have at least 32 characters').optional(),
    description: 'Pepper of API key hashes, at least 32 characters; generated outside production',
    secret: true,
  },
  INTERNAL_TOKEN_KEY: {
    type: z.string().regex(TOKEN_KEY, 'must have at least 32 characters, and no spaces or commas').optional(),
    description:
      'Key of the tokens by which subgraphs know their gateway (see `gateway/app/README.md`), at least 32 characters; for `gateway` and `subgraph-…`; outside production made from `API_KEY_PEPPER`, or generated',
    secret: true,
  },
  INTERNAL_TOKEN_KEY_PREVIOUS: {
    type: z
      .string()
      .transform((value) => value.split(',').filter(Boolean))
      .refine(
        (keys) => keys.every((key) => TOKEN_KEY.test(key)),
        'must be keys of at least 32 characters separated by commas',
      )
      .default([]),
    description: 'Further keys under which subgraphs take tokens, separated by commas',
    secret: true,
  },
  ...WORK_SETTINGS,
  RATE_LIMIT_REMITTANCE: {
    type: callsPerMinute,
    description: 'Most calls of `/v1/user/…` by one key in 60 seconds, in all processes; 0 for no limit',
  },
  RATE_LIMIT_REQUEST_MONEY: {
    type: callsPerMinute,
    description: 'The same for `/v1/request-money`',
  },
  RATE_LIMIT_PARTNER: { type: callsPerMinute, description: 'The same for `/partner/…`' },
  RATE_LIMIT_GRAPHQL: {
    type: callsPerMinute,
    description: 'The same for `/graphql`, each operation over a socket included',
  },
  RATE_LIMIT_PARTNER_FACTOR: {
    type: count.default(2),
    description:
      'How many times the limits of a key all keys, browser tokens and console sessions of a partner have together, in each environment: calls, pre-quotes, open WebSockets and subscriptions, exports',
  },
  RATE_LIMIT_CONSOLE: {
    type: callsPerMinute.default(600),
    description:
      'Most wrong codes for signing in to the console from one address in 60 seconds, in all processes; 0 for no limit. Behind a proxy, name it in `TRUSTED_PROXIES`',
  },
  CONSOLE_SESSION_SECONDS: {
    type: seconds({ min: 300, max: 604_800 }).default(43_200),
    description: 'Longest life of a console session',
  },
  CONSOLE_IDLE_SECONDS: {
    type: seconds({ min: 300, max: 604_800 }).default(3_600),
    description: 'Time after which a console session ends that has called nothing and has nothing open',
  },
  GRAPHQL_MAX_DEPTH: { type: count.default(12), description: 'Most levels of fields in a GraphQL operation' },
  GRAPHQL_MAX_ALIASES: { type: count.default(30), description: 'Most aliases in a GraphQL operation' },
  GRAPHQL_MAX_ROOT_FIELDS: {
    type: count.default(10),
    description: 'Most root fields in a GraphQL operation',
  },
  GRAPHQL_MAX_TOKENS: { type: count.default(2_000), description: 'Most tokens in a GraphQL document' },
  GRAPHQL_MAX_COST: {
    type: count.default(10_000),
    description:
      'Most objects that a GraphQL operation may read, a large value counted as 5 or 10 of them; shown in `extensions.cost`',
  },
  GRAPHQL_MAX_RESPONSE_BYTES: {
    type: count.default(10_000_000),
    description: 'Longest answer of `/graphql`, and longest event of a subscription, in bytes',
  },
  GRAPHQL_TIMEOUT_SECONDS: {
    type: count.default(30),
    description: 'For a GraphQL query or mutation, and for the part of a REST call that the graph does',
  },
  SOCKETS_PER_KEY: {
    type: count.default(1_000),
    description: 'Most WebSockets of a key that are open in a process; one more is closed with 1013',
  },
  SOCKET_MESSAGES_PER_SECOND: {
    type: count.default(200),
    description:
      'Messages of one WebSocket that are handled a second in the long run, twice as many at once; more of them wait with their client',
  },
  SUBSCRIPTION_BUFFER_EVENTS: {
    type: count.default(1_000),
    description:
      'Most live events of a subscription that wait for a client which reads too slowly; with one more it ends with `SLOW_CONSUMER`',
  },
  SUBSCRIPTION_BUFFER_BYTES: {
    type: count.default(262_144),
    description: 'The same in bytes; one event may always wait',
  },
  DRAIN_SECONDS: {
    type: seconds({ min: 0, max: 300 }).default(0),
    description:
      'Time from the stop signal, while `/health/ready` says 503 and calls are answered as ever, until a server stops listening: longer than load balancers take to notice',
  },
  SUBSCRIPTION_DRAIN_SECONDS: {
    type: seconds({ min: 0, max: 60 }).default(5),
    description:
      'Time over which a process that stops ends its subscriptions, in batches; 0 ends all at once',
  },
  TRUSTED_DOCUMENTS_DIR: {
    type: text.optional(),
    description:
      'Folder of `*.graphql` documents that clients may run by their SHA-256, beside `schema/operations`',
  },
  TRUSTED_DOCUMENTS_ONLY: {
    type: flag.default(false),
    description:
      'Whether clients may run trusted documents alone, by SHA-256 or in full; the REST surfaces work either way',
  },
  GRAPHQL_INTROSPECTION: {
    type: flag.optional(),
    description: 'Whether clients may introspect; by default outside production',
  },
  MTLS_PORT: {
    type: port.optional(),
    description: 'Port of the mutual-TLS listener; needs the other three MTLS_ settings',
  },
  MTLS_CERT_FILE: { type: text.optional(), description: 'PEM certificate of the mutual-TLS listener' },
  MTLS_KEY_FILE: { type: text.optional(), description: 'PEM private key of the mutual-TLS listener' },
  MTLS_CA_FILE: {
    type: text.optional(),
    description: 'PEM certificate authority that signs client certificates',
  },
  REQUEST_TIMEOUT_SECONDS: {
    type: seconds({ min: 1, max: 60 }).default(60),
    description:
      'Time for a request to come whole, headers and body; a slower one is answered 408 and cut off',
  },
  METRICS_PORT: {
    type: port.optional(),
    description:
      'Port that serves `/metrics` alone, without a check of the caller: keep it private; 0 picks a free one. Outside production `/metrics` is on `PORT` too',
  },
  METRICS_HOST: {
    type: text.optional(),
    description: 'Address that `METRICS_PORT` listens on; by default that of `HOST`',
  },
  METRICS_TOKEN: {
    type: z
      .string()
      .regex(/^\S{16,}$/, 'must have at least 16 characters, and no spaces')
      .optional(),
    description:
      'In production, `/metrics` is also on `PORT` for callers with `Authorization: Bearer` and this token; at least 16 characters',
    secret: true,
  },
  TRUSTED_PROXIES: {
    type: cidrList.default([]),
    description:
      'Blocks of the proxies before this service, separated by commas, such as `10.0.0.0/8`: from them, `X-Forwarded-For` says where a call comes from. Empty: the address of the connection counts',
  },
  CORS_ORIGINS: {
    type: originList.default([]),
    description:
      'Origins of web pages that may call `/graphql` and the REST surfaces, separated by commas, such as `https://app.example.com`; empty for none',
  },
  LOG_LEVEL: {
    type: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    description: 'Least severe level that is logged',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

/** Whether nobody may be shown the value of a setting. */
export function isSecret(name: SettingName): boolean {
  const setting: Setting = SETTINGS[name];
  return setting.secret === true;
}

/** The environment after its checks: each value of its own type, in the units that its description names. */
export type Settings = { readonly [Name in SettingName]: z.output<(typeof SETTINGS)[Name]['type']> };
