import { z } from 'zod';
import { ENVIRONMENTS } from '../account.ts';
import { ROLES } from './roles.ts';
import { SIGN_IN_SETTINGS } from './sign-in-settings.ts';
import {
  callsPerMinute,
  cidrList,
  count,
  environmentList,
  flag,
  originList,
  port,
  seconds,
  subgraphUrl,
  TOKEN_KEY,
  text,
  webUrl,
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
      '`production` requires `MONGODB_URI` and the secrets, hides internal errors, disables GraphiQL and creates no demo tenant',
  },
  PORT: {
    type: port.default(4000),
    description: 'HTTP port of REST, GraphQL and health checks; 0 uses any free port',
  },
  HOST: { type: text.default('127.0.0.1'), description: 'Address to listen on; `0.0.0.0` for all addresses' },
  PUBLIC_URL: {
    type: webUrl.optional(),
    description: 'URL at which clients reach this service; derived from `HOST` and `PORT` when unset',
  },
  MONGODB_URI: {
    type: z
      .string()
      .regex(/^mongodb(\+srv)?:\/\/\S+$/, 'must be a mongodb:// or mongodb+srv:// address')
      .optional(),
    description:
      'URI of a replica set or sharded cluster; when unset, an embedded store for development is started',
    secret: true,
  },
  MIGRATE_ON_START: {
    type: flag.default(true),
    description:
      'Whether pending database migrations are applied at start. With `false`, the process exits if there are any; apply them with `remitgraph admin migrate`',
  },
  DATA_DIR: {
    type: text.default('.data'),
    description: 'Directory of the embedded store and of generated secrets',
  },
  EMBEDDED_STORE: {
    type: z.enum(['allow'], 'must be allow, or unset').optional(),
    description: '`allow` permits the embedded store in production, without `MONGODB_URI`',
  },
  ROLE: { type: z.enum(ROLES).default('all'), description: 'Part of the product that this process runs' },
  SUBGRAPH_OPERATIONS_URL: {
    type: subgraphUrl,
    description: 'URL of the operations subgraph, for `ROLE=gateway`',
  },
  SUBGRAPH_USERS_URL: { type: subgraphUrl, description: 'URL of the users subgraph, for `ROLE=gateway`' },
  SUBGRAPH_LINKS_URL: { type: subgraphUrl, description: 'URL of the links subgraph, for `ROLE=gateway`' },
  SUBGRAPH_REQUEST_MONEY_URL: {
    type: subgraphUrl,
    description: 'URL of the request-money subgraph, for `ROLE=gateway`',
  },
  SUPERGRAPH_FILE: {
    type: text.optional(),
    description:
      'File of the supergraph that `ROLE=gateway` serves, loaded again when it changes and at `SIGHUP`; by default the supergraph of the product',
  },
  ENVIRONMENTS: {
    type: environmentList.default([...ENVIRONMENTS]).meta({ items: ENVIRONMENTS }),
    description:
      'Environments that this deployment serves, separated by commas. Keys, tokens and sessions of another one are unknown. Production has `live` alone, with a database of its own',
  },
  SEED_FILE: {
    type: text.optional(),
    description:
      'JSON file of tenants, routes and exchange rates, applied at each start. Webhook secrets, URLs and events that partners changed themselves are kept',
  },
  INTERNAL_API_KEY: {
    type: text.optional(),
    description:
      'Value of `X-Internal-Key` for `/v1/internal/…`, at least 16 characters in production; generated outside production',
    secret: true,
  },
  ENCRYPTION_KEY: {
    type: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
      .optional(),
    description:
      'Master key of all data that is encrypted at rest, 64 hexadecimal digits; generated outside production',
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
      'Former master keys, separated by commas, with which existing data can still be decrypted (see `subgraphs/kernel/crypto/README.md`)',
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
      'Key of the tokens with which the gateway authenticates to subgraphs (see `gateway/app/README.md`), at least 32 characters, for `gateway` and `subgraph-…`; outside production derived from `API_KEY_PEPPER`, or generated',
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
    description: 'Further keys whose tokens subgraphs accept, separated by commas',
    secret: true,
  },
  ...WORK_SETTINGS,
  RATE_LIMIT_REMITTANCE: {
    type: callsPerMinute,
    description: 'Maximum calls of `/v1/user/…` by one key in 60 seconds, over all processes; 0 for no limit',
  },
  RATE_LIMIT_REQUEST_MONEY: {
    type: callsPerMinute,
    description: 'Maximum calls of `/v1/request-money` by one key in 60 seconds; 0 for no limit',
  },
  RATE_LIMIT_PARTNER: {
    type: callsPerMinute,
    description: 'Maximum calls of `/partner/…` by one key in 60 seconds; 0 for no limit',
  },
  RATE_LIMIT_GRAPHQL: {
    type: callsPerMinute,
    description:
      'Maximum calls of `/graphql` by one key in 60 seconds, including each operation over a WebSocket; 0 for no limit',
  },
  RATE_LIMIT_PARTNER_FACTOR: {
    type: count.default(2),
    description:
      'Limits of a partner in each environment, as a multiple of the limits of one key. They cover all keys, browser tokens and console sessions together, for calls, pre-quotes, open WebSockets and subscriptions, and exports',
  },
  RATE_LIMIT_CONSOLE: {
    type: callsPerMinute.default(600),
    description:
      'Maximum wrong codes of console links from one address in 60 seconds, over all processes; 0 for no limit. The same maximum applies to starts of a sign-in by OpenID Connect and refused logout tokens together. Behind a proxy, set `TRUSTED_PROXIES`',
  },
  CONSOLE_SESSION_SECONDS: {
    type: seconds({ min: 300, max: 604_800 }).default(43_200),
    description: 'Maximum life of a console session',
  },
  CONSOLE_IDLE_SECONDS: {
    type: seconds({ min: 300, max: 604_800 }).default(3_600),
    description: 'Time after which a console session ends if it makes no calls and has no open connections',
  },
  ...SIGN_IN_SETTINGS,
  GRAPHQL_MAX_DEPTH: {
    type: count.default(12),
    description: 'Maximum levels of fields in a GraphQL operation',
  },
  GRAPHQL_MAX_ALIASES: { type: count.default(30), description: 'Maximum aliases in a GraphQL operation' },
  GRAPHQL_MAX_ROOT_FIELDS: {
    type: count.default(10),
    description: 'Maximum root fields in a GraphQL operation',
  },
  GRAPHQL_MAX_TOKENS: { type: count.default(2_000), description: 'Maximum tokens in a GraphQL document' },
  GRAPHQL_MAX_COST: {
    type: count.default(10_000),
    description:
      'Maximum cost of a GraphQL operation: the number of objects that it may read, where a large value counts as 5 or 10. The cost is returned in `extensions.cost`',
  },
  GRAPHQL_MAX_RESPONSE_BYTES: {
    type: count.default(10_000_000),
    description: 'Maximum size of an answer of `/graphql` and of an event of a subscription, in bytes',
  },
  GRAPHQL_TIMEOUT_SECONDS: {
    type: seconds({ min: 1, max: 3600 }).default(30),
    description: 'Time limit of a GraphQL query or mutation, also for one that a REST call runs',
  },
  SOCKETS_PER_KEY: {
    type: count.default(1_000),
    description: 'Maximum open WebSockets of a key in a process; further ones are closed with code 1013',
  },
  SOCKET_MESSAGES_PER_SECOND: {
    type: count.default(200),
    description:
      'Average number of messages of one WebSocket that are handled per second, with bursts of twice as many. Further messages are read later, so the client has to wait',
  },
  SUBSCRIPTION_BUFFER_EVENTS: {
    type: count.default(1_000),
    description:
      'Maximum live events of a subscription that wait for a slow client; with one more, the subscription ends with `SLOW_CONSUMER`',
  },
  SUBSCRIPTION_BUFFER_BYTES: {
    type: count.default(262_144),
    description:
      'Maximum size of the live events of a subscription that wait for a slow client, in bytes; a single event may always wait',
  },
  DRAIN_SECONDS: {
    type: seconds({ min: 0, max: 300 }).default(0),
    description:
      'Time from the stop signal until a server stops listening. Meanwhile `/health/ready` answers 503 and calls are still answered. Use a longer time than your load balancer needs to notice',
  },
  SUBSCRIPTION_DRAIN_SECONDS: {
    type: seconds({ min: 0, max: 60 }).default(5),
    description: 'Time over which a stopping process ends its subscriptions, in batches; 0 ends all at once',
  },
  TRUSTED_DOCUMENTS_DIR: {
    type: text.optional(),
    description:
      'Directory of `*.graphql` documents that clients may run by their SHA-256, in addition to `schema/operations`',
  },
  TRUSTED_DOCUMENTS_ONLY: {
    type: flag.default(false),
    description:
      'Whether clients may run only trusted documents, by SHA-256 or in full. REST calls are not affected',
  },
  GRAPHQL_INTROSPECTION: {
    type: flag.optional(),
    description: 'Whether clients may use introspection; by default only outside production',
  },
  MTLS_PORT: {
    type: port.optional(),
    description: 'Port of the mutual-TLS listener; requires the other three `MTLS_` settings',
  },
  MTLS_CERT_FILE: { type: text.optional(), description: 'PEM certificate of the mutual-TLS listener' },
  MTLS_KEY_FILE: { type: text.optional(), description: 'PEM private key of the mutual-TLS listener' },
  MTLS_CA_FILE: {
    type: text.optional(),
    description: 'PEM certificate authority that signs the client certificates',
  },
  REQUEST_TIMEOUT_SECONDS: {
    type: seconds({ min: 1, max: 60 }).default(60),
    description:
      'Time limit for receiving a whole request, headers and body; slower requests are answered 408 and the connection is closed',
  },
  METRICS_PORT: {
    type: port.optional(),
    description:
      'Port that serves only `/metrics`, without authentication: keep it private. 0 uses any free port. Outside production, `/metrics` is also served on `PORT`',
  },
  METRICS_HOST: {
    type: text.optional(),
    description: 'Address to listen on for `METRICS_PORT`; by default the value of `HOST`',
  },
  METRICS_TOKEN: {
    type: z
      .string()
      .regex(/^\S{16,}$/, 'must have at least 16 characters, and no spaces')
      .optional(),
    description:
      'Token of at least 16 characters with which `/metrics` is also served on `PORT` in production, for callers that send `Authorization: Bearer` and the token',
    secret: true,
  },
  TRUSTED_PROXIES: {
    type: cidrList.default([]),
    description:
      "CIDR blocks of the proxies in front of this service, separated by commas, such as `10.0.0.0/8`. For connections from them, the caller's address is taken from `X-Forwarded-For`; for others, it is the address of the connection",
  },
  CORS_ORIGINS: {
    type: originList.default([]),
    description:
      'Origins of web pages that may call `/graphql` and the REST APIs, separated by commas, such as `https://app.example.com`; empty for none',
  },
  LOG_LEVEL: {
    type: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    description: 'Lowest level of log entries that are written',
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
