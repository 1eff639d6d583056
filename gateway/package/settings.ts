// Made by `npm run schema` from subgraphs/platform/config. Do not edit.

/** The settings of a server. Each may be left out; values are checked at the start. */
export interface ServerSettings {
  /** `production` requires `MONGODB_URI` and the secrets, masks internal errors, turns GraphiQL off and makes no demo tenant. Default: `development`. */
  readonly NODE_ENV?: 'development' | 'production' | 'test' | undefined;
  /** HTTP port of REST, GraphQL and health; 0 picks a free one. Default: `4000`. */
  readonly PORT?: number | undefined;
  /** Address to listen on; `0.0.0.0` for all. Default: `127.0.0.1`. */
  readonly HOST?: string | undefined;
  /** Address under which clients reach this service; made from HOST and PORT when unset. */
  readonly PUBLIC_URL?: string | undefined;
  /** Replica set or sharded cluster; unset starts an embedded store for development. */
  readonly MONGODB_URI?: string | undefined;
  /** Whether a start applies pending migrations of the database; with `false` it ends when there are some, and `remitgraph admin migrate` applies them before. Default: `true`. */
  readonly MIGRATE_ON_START?: boolean | undefined;
  /** Directory of the embedded store and of generated secrets. Default: `.data`. */
  readonly DATA_DIR?: string | undefined;
  /** `allow` lets production run on the embedded store, without `MONGODB_URI`. */
  readonly EMBEDDED_STORE?: 'allow' | undefined;
  /** What runs in this process. Default: `all`. */
  readonly ROLE?: 'all' | 'gateway' | 'subgraph-operations' | 'subgraph-links' | 'subgraph-users' | 'subgraph-request-money' | 'worker' | undefined;
  /** Address of the operations subgraph, for `ROLE=gateway`. */
  readonly SUBGRAPH_OPERATIONS_URL?: string | undefined;
  /** Address of the users subgraph, for `ROLE=gateway`. */
  readonly SUBGRAPH_USERS_URL?: string | undefined;
  /** Address of the links subgraph, for `ROLE=gateway`. */
  readonly SUBGRAPH_LINKS_URL?: string | undefined;
  /** Address of the request-money subgraph, for `ROLE=gateway`. */
  readonly SUBGRAPH_REQUEST_MONEY_URL?: string | undefined;
  /** Supergraph that `ROLE=gateway` serves, taken over again when the file changes and at `SIGHUP`; by default the own one. */
  readonly SUPERGRAPH_FILE?: string | undefined;
  /** JSON file of tenants, routes and rates, applied at each start; a webhook secret, URL and events that partners have changed themselves stay. */
  readonly SEED_FILE?: string | undefined;
  /** Value of `X-Internal-Key` on `/v1/internal/…`; in production 16 characters or more, elsewhere generated. */
  readonly INTERNAL_API_KEY?: string | undefined;
  /** Master key of everything encrypted at rest, 64 hexadecimal digits; generated outside production. */
  readonly ENCRYPTION_KEY?: string | undefined;
  /** Former master keys, separated by commas: what they sealed still opens (see `subgraphs/platform/crypto/README.md`). Default: empty. */
  readonly ENCRYPTION_KEY_PREVIOUS?: readonly string[] | undefined;
  /** Pepper of API key hashes, at least 32 characters; generated outside production. */
  readonly API_KEY_PEPPER?: string | undefined;
  /** Key of the tokens by which subgraphs know their gateway (see `gateway/app/README.md`), at least 32 characters; for `gateway` and `subgraph-…`; outside production made from `API_KEY_PEPPER`, or generated. */
  readonly INTERNAL_TOKEN_KEY?: string | undefined;
  /** Further keys under which subgraphs take tokens, separated by commas. Default: empty. */
  readonly INTERNAL_TOKEN_KEY_PREVIOUS?: readonly string[] | undefined;
  /** Interval of the worker that posts due events. Default: `30`. */
  readonly WEBHOOK_SWEEP_SECONDS?: number | undefined;
  /** Time that a receiver has for its whole answer. Default: `10`. */
  readonly WEBHOOK_TIMEOUT_SECONDS?: number | undefined;
  /** Delays after the first, second, … failed attempt, in seconds, separated by commas. Default: `60,300,1800,7200,43200`. */
  readonly WEBHOOK_RETRY_SECONDS?: readonly number[] | undefined;
  /** Attempts in all before an event is dead-lettered. Default: `5`. */
  readonly WEBHOOK_MAX_ATTEMPTS?: number | undefined;
  /** Try a freshly stored event at once; the sweep stays as the backstop. Default: `true`. */
  readonly WEBHOOK_NUDGE?: boolean | undefined;
  /** Keep new events from an endpoint that fails most of what it gets, but for probes, until it answers again; without it all are tried. Default: `true`. */
  readonly WEBHOOK_BREAKER?: boolean | undefined;
  /** Days for which deliveries are kept after they were delivered or dead-lettered, and attempts after they were made; counts by day stay. Default: `30`. */
  readonly WEBHOOK_RETENTION_DAYS?: number | undefined;
  /** Days for which events are kept, and cursors count; at least the 30 that partners are promised. Default: `30`. */
  readonly EVENT_RETENTION_DAYS?: number | undefined;
  /** Private, loopback and link-local blocks that receivers may stand in; empty blocks them all. Default: empty. */
  readonly WEBHOOK_ALLOWED_CIDRS?: readonly string[] | undefined;
  /** PEM file of extra certificate authorities of receivers. */
  readonly WEBHOOK_CA_FILE?: string | undefined;
  /** Identity validator of live calls; while it is unset, live calls that need it fail with 503. */
  readonly IDENTITY_VALIDATOR_URL?: string | undefined;
  /** Verifier of payout cards of live calls; while it is unset, live calls that need it fail with 503. */
  readonly CARD_PROVIDER_URL?: string | undefined;
  /** Verifier of bank accounts of live calls; while it is unset, live calls that need it fail with 503. */
  readonly UBN_PROVIDER_URL?: string | undefined;
  /** Requests the money of payers for live calls; while it is unset, live calls that need it fail with 503. */
  readonly FUNDING_PROVIDER_URL?: string | undefined;
  /** Test identity validator of sandbox calls; unset uses the built-in sandbox. */
  readonly SANDBOX_IDENTITY_VALIDATOR_URL?: string | undefined;
  /** Test card verifier of sandbox calls; unset uses the built-in sandbox. */
  readonly SANDBOX_CARD_PROVIDER_URL?: string | undefined;
  /** Test account verifier of sandbox calls; unset uses the built-in sandbox. */
  readonly SANDBOX_UBN_PROVIDER_URL?: string | undefined;
  /** Test funding provider of sandbox calls; unset uses the built-in sandbox. */
  readonly SANDBOX_FUNDING_PROVIDER_URL?: string | undefined;
  /** Time after which a request by request-money-v2 whose payer may have been asked is withdrawn, when its caller has not repeated it. Default: `600`. */
  readonly FUNDING_WITHDRAW_AFTER_SECONDS?: number | undefined;
  /** Interval at which a worker looks for due steps of accepted requests. Default: `2`. */
  readonly PIPELINE_SWEEP_SECONDS?: number | undefined;
  /** Time after which a step whose worker died is done again; at least 15: the time that a provider has for its answer, and 5 seconds. Default: `30`. */
  readonly PIPELINE_LEASE_SECONDS?: number | undefined;
  /** Steps of accepted requests under way in a process at once, those that wait for a provider included. Default: `256`. */
  readonly PIPELINE_CONCURRENCY?: number | undefined;
  /** The same of one tenant, so that one whose provider is slow leaves room for the others. Default: `64`. */
  readonly PIPELINE_TENANT_CONCURRENCY?: number | undefined;
  /** Delays after the first, second, … failure of a step that may pass, in seconds; the failure after the last one fails the request. Default: `5,30,120,600`. */
  readonly PIPELINE_RETRY_SECONDS?: readonly number[] | undefined;
  /** Most calls of `/v1/user/…` by one key in 60 seconds, in all processes; 0 for no limit. Default: `600000`. */
  readonly RATE_LIMIT_REMITTANCE?: number | undefined;
  /** The same for `/v1/request-money`. Default: `600000`. */
  readonly RATE_LIMIT_REQUEST_MONEY?: number | undefined;
  /** The same for `/partner/…`. Default: `600000`. */
  readonly RATE_LIMIT_PARTNER?: number | undefined;
  /** The same for `/graphql`, each operation over a socket included. Default: `600000`. */
  readonly RATE_LIMIT_GRAPHQL?: number | undefined;
  /** How many times the limits of a key all keys, browser tokens and console sessions of a partner have together, in each environment: calls, pre-quotes, open WebSockets and subscriptions, exports. Default: `2`. */
  readonly RATE_LIMIT_PARTNER_FACTOR?: number | undefined;
  /** Most wrong codes for signing in to the console from one address in 60 seconds, in all processes; 0 for no limit. Behind a proxy, name it in `TRUSTED_PROXIES`. Default: `600`. */
  readonly RATE_LIMIT_CONSOLE?: number | undefined;
  /** Longest life of a console session. Default: `43200`. */
  readonly CONSOLE_SESSION_SECONDS?: number | undefined;
  /** Time after which a console session ends that has called nothing and has nothing open. Default: `3600`. */
  readonly CONSOLE_IDLE_SECONDS?: number | undefined;
  /** Most levels of fields in a GraphQL operation. Default: `12`. */
  readonly GRAPHQL_MAX_DEPTH?: number | undefined;
  /** Most aliases in a GraphQL operation. Default: `30`. */
  readonly GRAPHQL_MAX_ALIASES?: number | undefined;
  /** Most root fields in a GraphQL operation. Default: `10`. */
  readonly GRAPHQL_MAX_ROOT_FIELDS?: number | undefined;
  /** Most tokens in a GraphQL document. Default: `2000`. */
  readonly GRAPHQL_MAX_TOKENS?: number | undefined;
  /** Most objects that a GraphQL operation may read, a large value counted as 5 or 10 of them; shown in `extensions.cost`. Default: `10000`. */
  readonly GRAPHQL_MAX_COST?: number | undefined;
  /** Longest answer of `/graphql`, and longest event of a subscription, in bytes. Default: `10000000`. */
  readonly GRAPHQL_MAX_RESPONSE_BYTES?: number | undefined;
  /** For a GraphQL query or mutation, and for the part of a REST call that the graph does. Default: `30`. */
  readonly GRAPHQL_TIMEOUT_SECONDS?: number | undefined;
  /** Most WebSockets of a key that are open in a process; one more is closed with 1013. Default: `1000`. */
  readonly SOCKETS_PER_KEY?: number | undefined;
  /** Messages of one WebSocket that are handled a second in the long run, twice as many at once; more of them wait with their client. Default: `200`. */
  readonly SOCKET_MESSAGES_PER_SECOND?: number | undefined;
  /** Most live events of a subscription that wait for a client which reads too slowly; with one more it ends with `SLOW_CONSUMER`. Default: `1000`. */
  readonly SUBSCRIPTION_BUFFER_EVENTS?: number | undefined;
  /** The same in bytes; one event may always wait. Default: `262144`. */
  readonly SUBSCRIPTION_BUFFER_BYTES?: number | undefined;
  /** Time from the stop signal, while `/health/ready` says 503 and calls are answered as ever, until a server stops listening: longer than load balancers take to notice. Default: `0`. */
  readonly DRAIN_SECONDS?: number | undefined;
  /** Time over which a process that stops ends its subscriptions, in batches; 0 ends all at once. Default: `5`. */
  readonly SUBSCRIPTION_DRAIN_SECONDS?: number | undefined;
  /** Folder of `*.graphql` documents that clients may run by their SHA-256, beside `schema/operations`. */
  readonly TRUSTED_DOCUMENTS_DIR?: string | undefined;
  /** Whether clients may run trusted documents alone, by SHA-256 or in full; the REST surfaces work either way. Default: `false`. */
  readonly TRUSTED_DOCUMENTS_ONLY?: boolean | undefined;
  /** Whether clients may introspect; by default outside production. */
  readonly GRAPHQL_INTROSPECTION?: boolean | undefined;
  /** Port of the mutual-TLS listener; needs the other three MTLS_ settings. */
  readonly MTLS_PORT?: number | undefined;
  /** PEM certificate of the mutual-TLS listener. */
  readonly MTLS_CERT_FILE?: string | undefined;
  /** PEM private key of the mutual-TLS listener. */
  readonly MTLS_KEY_FILE?: string | undefined;
  /** PEM certificate authority that signs client certificates. */
  readonly MTLS_CA_FILE?: string | undefined;
  /** Time for a request to come whole, headers and body; a slower one is answered 408 and cut off. Default: `60`. */
  readonly REQUEST_TIMEOUT_SECONDS?: number | undefined;
  /** Port that serves `/metrics` alone, without a check of the caller: keep it private; 0 picks a free one. Outside production `/metrics` is on `PORT` too. */
  readonly METRICS_PORT?: number | undefined;
  /** Address that `METRICS_PORT` listens on; by default that of `HOST`. */
  readonly METRICS_HOST?: string | undefined;
  /** In production, `/metrics` is also on `PORT` for callers with `Authorization: Bearer` and this token; at least 16 characters. */
  readonly METRICS_TOKEN?: string | undefined;
  /** Blocks of the proxies before this service, separated by commas, such as `10.0.0.0/8`: from them, `X-Forwarded-For` says where a call comes from. Empty: the address of the connection counts. Default: empty. */
  readonly TRUSTED_PROXIES?: readonly string[] | undefined;
  /** Origins of web pages that may call `/graphql` and the REST surfaces, separated by commas, such as `https://app.example.com`; empty for none. Default: empty. */
  readonly CORS_ORIGINS?: readonly string[] | undefined;
  /** Least severe level that is logged. Default: `info`. */
  readonly LOG_LEVEL?: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent' | undefined;
}
