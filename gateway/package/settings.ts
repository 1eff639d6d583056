// Made by `npm run schema` from subgraphs/kernel/config. Do not edit.

/** The settings of a server. Each may be left out; values are checked at the start. */
export interface ServerSettings {
  /** `production` requires `MONGODB_URI` and the secrets, hides internal errors, disables GraphiQL and creates no demo tenant. Default: `development`. */
  readonly NODE_ENV?: 'development' | 'production' | 'test' | undefined;
  /** HTTP port of REST, GraphQL and health checks; 0 uses any free port. Default: `4000`. */
  readonly PORT?: number | undefined;
  /** Address to listen on; `0.0.0.0` for all addresses. Default: `127.0.0.1`. */
  readonly HOST?: string | undefined;
  /** URL at which clients reach this service; derived from `HOST` and `PORT` when unset. */
  readonly PUBLIC_URL?: string | undefined;
  /** URI of a replica set or sharded cluster; when unset, an embedded store for development is started. */
  readonly MONGODB_URI?: string | undefined;
  /** Whether pending database migrations are applied at start. With `false`, the process exits if there are any; apply them with `remitgraph admin migrate`. Default: `true`. */
  readonly MIGRATE_ON_START?: boolean | undefined;
  /** Directory of the embedded store and of generated secrets. Default: `.data`. */
  readonly DATA_DIR?: string | undefined;
  /** `allow` permits the embedded store in production, without `MONGODB_URI`. */
  readonly EMBEDDED_STORE?: 'allow' | undefined;
  /** Part of the product that this process runs. Default: `all`. */
  readonly ROLE?: 'all' | 'gateway' | 'subgraph-operations' | 'subgraph-links' | 'subgraph-users' | 'subgraph-request-money' | 'worker' | undefined;
  /** URL of the operations subgraph, for `ROLE=gateway`. */
  readonly SUBGRAPH_OPERATIONS_URL?: string | undefined;
  /** URL of the users subgraph, for `ROLE=gateway`. */
  readonly SUBGRAPH_USERS_URL?: string | undefined;
  /** URL of the links subgraph, for `ROLE=gateway`. */
  readonly SUBGRAPH_LINKS_URL?: string | undefined;
  /** URL of the request-money subgraph, for `ROLE=gateway`. */
  readonly SUBGRAPH_REQUEST_MONEY_URL?: string | undefined;
  /** File of the supergraph that `ROLE=gateway` serves, loaded again when it changes and at `SIGHUP`; by default the supergraph of the product. */
  readonly SUPERGRAPH_FILE?: string | undefined;
  /** Environments that this deployment serves, separated by commas. Keys, tokens and sessions of another one are unknown. Production has `live` alone, with a database of its own. Default: `sandbox,live`. */
  readonly ENVIRONMENTS?: readonly ('sandbox' | 'live')[] | undefined;
  /** JSON file of tenants, routes and exchange rates, applied at each start. Webhook secrets, URLs and events that partners changed themselves are kept. */
  readonly SEED_FILE?: string | undefined;
  /** Value of `X-Internal-Key` for `/v1/internal/…`, at least 16 characters in production; generated outside production. */
  readonly INTERNAL_API_KEY?: string | undefined;
  /** Master key of all data that is encrypted at rest, 64 hexadecimal digits; generated outside production. */
  readonly ENCRYPTION_KEY?: string | undefined;
  /** Former master keys, separated by commas, with which existing data can still be decrypted (see `subgraphs/kernel/crypto/README.md`). Default: empty. */
  readonly ENCRYPTION_KEY_PREVIOUS?: readonly string[] | undefined;
  /** Pepper of API key hashes, at least 32 characters; generated outside production. */
  readonly API_KEY_PEPPER?: string | undefined;
  /** Key of the tokens with which the gateway authenticates to subgraphs (see `gateway/app/README.md`), at least 32 characters, for `gateway` and `subgraph-…`; outside production derived from `API_KEY_PEPPER`, or generated. */
  readonly INTERNAL_TOKEN_KEY?: string | undefined;
  /** Further keys whose tokens subgraphs accept, separated by commas. Default: empty. */
  readonly INTERNAL_TOKEN_KEY_PREVIOUS?: readonly string[] | undefined;
  /** Interval at which a worker looks for due webhooks. Default: `30`. */
  readonly WEBHOOK_SWEEP_SECONDS?: number | undefined;
  /** Time limit for the whole answer of a receiver. Default: `10`. */
  readonly WEBHOOK_TIMEOUT_SECONDS?: number | undefined;
  /** Delays after the first, second, … failed attempt of a webhook, in seconds, separated by commas. Default: `60,300,1800,7200,43200`. */
  readonly WEBHOOK_RETRY_SECONDS?: readonly number[] | undefined;
  /** Number of attempts before a webhook is dead-lettered. Default: `5`. */
  readonly WEBHOOK_MAX_ATTEMPTS?: number | undefined;
  /** Whether a new webhook is sent at once; with `false`, the next sweep sends it. Default: `true`. */
  readonly WEBHOOK_NUDGE?: boolean | undefined;
  /** Whether new webhooks to a failing endpoint are kept, except for probes, until it answers again; with `false`, all are tried. Default: `true`. */
  readonly WEBHOOK_BREAKER?: boolean | undefined;
  /** Days for which webhooks are kept after they were delivered or dead-lettered, and attempts after they were made. Daily counts are kept without limit. Default: `30`. */
  readonly WEBHOOK_RETENTION_DAYS?: number | undefined;
  /** Partitions of the event log, which processes divide among them; the same for all processes. On a database that has data, change it as `remitgraph admin events partition` says. Default: `64`. */
  readonly EVENT_LOG_PARTITIONS?: number | undefined;
  /** Days for which events are kept and cursors are valid; at least 30, as documented for partners. Default: `30`. */
  readonly EVENT_RETENTION_DAYS?: number | undefined;
  /** Private, loopback and link-local CIDR blocks in which webhook receivers are allowed; empty for none. Default: empty. */
  readonly WEBHOOK_ALLOWED_CIDRS?: readonly string[] | undefined;
  /** PEM file of additional certificate authorities for webhook receivers. */
  readonly WEBHOOK_CA_FILE?: string | undefined;
  /** PEM certificate that is presented to webhook receivers that ask for one (mutual TLS); requires `WEBHOOK_CLIENT_KEY_FILE`. */
  readonly WEBHOOK_CLIENT_CERT_FILE?: string | undefined;
  /** PEM private key of `WEBHOOK_CLIENT_CERT_FILE`. */
  readonly WEBHOOK_CLIENT_KEY_FILE?: string | undefined;
  /** Mail server for operational events, such as `smtps://user:password@mail.example:465`; `smtp:` requires STARTTLS, except on the same machine and with `?tls=optional`. When unset, no mail is sent. */
  readonly SMTP_URL?: string | undefined;
  /** Address of the sender of mail; required with `SMTP_URL`. */
  readonly MAIL_FROM?: string | undefined;
  /** HTTPS URL of a source of exchange rates (see `gateway/app/README.md`); when unset, only rates of the seed file and of `remitgraph admin rate set` are used. */
  readonly FX_RATES_URL?: string | undefined;
  /** Time between two reads of `FX_RATES_URL`. Default: `60`. */
  readonly FX_RATES_REFRESH_SECONDS?: number | undefined;
  /** Age of a rate of `FX_RATES_URL` from which on live calls that need it fail with `RATE_STALE` (503); a locked quote stays valid. Default: `900`. */
  readonly FX_RATES_MAX_AGE_SECONDS?: number | undefined;
  /** Private, loopback and link-local CIDR blocks in which the source of exchange rates is allowed; empty for none. Default: empty. */
  readonly FX_RATES_ALLOWED_CIDRS?: readonly string[] | undefined;
  /** URL of the identity validator for live calls; when unset, live calls that need it fail with 503. */
  readonly IDENTITY_VALIDATOR_URL?: string | undefined;
  /** URL of the payout card verifier for live calls; when unset, live calls that need it fail with 503. */
  readonly CARD_PROVIDER_URL?: string | undefined;
  /** URL of the bank account verifier for live calls; when unset, live calls that need it fail with 503. */
  readonly UBN_PROVIDER_URL?: string | undefined;
  /** URL of the funding provider, which asks payers for money, for live calls; when unset, live calls that need it fail with 503. */
  readonly FUNDING_PROVIDER_URL?: string | undefined;
  /** URL of a test identity validator for sandbox calls; when unset, the built-in sandbox is used. */
  readonly SANDBOX_IDENTITY_VALIDATOR_URL?: string | undefined;
  /** URL of a test card verifier for sandbox calls; when unset, the built-in sandbox is used. */
  readonly SANDBOX_CARD_PROVIDER_URL?: string | undefined;
  /** URL of a test account verifier for sandbox calls; when unset, the built-in sandbox is used. */
  readonly SANDBOX_UBN_PROVIDER_URL?: string | undefined;
  /** URL of a test funding provider for sandbox calls; when unset, the built-in sandbox is used. */
  readonly SANDBOX_FUNDING_PROVIDER_URL?: string | undefined;
  /** Time after which a request by request-money-v2 is withdrawn if its payer may have been asked and the caller has not repeated it. Default: `600`. */
  readonly FUNDING_WITHDRAW_AFTER_SECONDS?: number | undefined;
  /** Interval at which a worker looks for due steps of accepted requests. Default: `2`. */
  readonly PIPELINE_SWEEP_SECONDS?: number | undefined;
  /** Time after which a step is run again if its worker died; at least 15, which is the time limit for a provider's answer plus 5 seconds. Default: `30`. */
  readonly PIPELINE_LEASE_SECONDS?: number | undefined;
  /** Maximum steps of accepted requests that run in a process at once, including those that wait for a provider. Default: `256`. */
  readonly PIPELINE_CONCURRENCY?: number | undefined;
  /** Maximum steps of one tenant in one environment that run in a process at once, so that slow providers leave room for others. Default: `64`. */
  readonly PIPELINE_TENANT_CONCURRENCY?: number | undefined;
  /** Delays after the first, second, … temporary failure of a step, in seconds; one more failure than delays fails the request. Default: `5,30,120,600`. */
  readonly PIPELINE_RETRY_SECONDS?: readonly number[] | undefined;
  /** Maximum calls of `/v1/user/…` by one key in 60 seconds, over all processes; 0 for no limit. Default: `600000`. */
  readonly RATE_LIMIT_REMITTANCE?: number | undefined;
  /** Maximum calls of `/v1/request-money` by one key in 60 seconds; 0 for no limit. Default: `600000`. */
  readonly RATE_LIMIT_REQUEST_MONEY?: number | undefined;
  /** Maximum calls of `/partner/…` by one key in 60 seconds; 0 for no limit. Default: `600000`. */
  readonly RATE_LIMIT_PARTNER?: number | undefined;
  /** Maximum calls of `/graphql` by one key in 60 seconds, including each operation over a WebSocket; 0 for no limit. Default: `600000`. */
  readonly RATE_LIMIT_GRAPHQL?: number | undefined;
  /** Limits of a partner in each environment, as a multiple of the limits of one key. They cover all keys, browser tokens and console sessions together, for calls, pre-quotes, open WebSockets and subscriptions, and exports. Default: `2`. */
  readonly RATE_LIMIT_PARTNER_FACTOR?: number | undefined;
  /** Maximum wrong codes of console links from one address in 60 seconds, over all processes; 0 for no limit. The same maximum applies to starts of a sign-in by OpenID Connect and refused logout tokens together. Behind a proxy, set `TRUSTED_PROXIES`. Default: `600`. */
  readonly RATE_LIMIT_CONSOLE?: number | undefined;
  /** Maximum life of a console session. Default: `43200`. */
  readonly CONSOLE_SESSION_SECONDS?: number | undefined;
  /** Time after which a console session ends if it makes no calls and has no open connections. Default: `3600`. */
  readonly CONSOLE_IDLE_SECONDS?: number | undefined;
  /** Private, loopback and link-local CIDR blocks in which OpenID Connect providers are allowed; empty for none. Default: empty. */
  readonly CONSOLE_SIGN_IN_ALLOWED_CIDRS?: readonly string[] | undefined;
  /** PEM file of additional certificate authorities for OpenID Connect providers. */
  readonly CONSOLE_SIGN_IN_CA_FILE?: string | undefined;
  /** HTTPS URL of the OpenID Connect provider by which the platform's operators sign in to the console; requires the client and the roles. */
  readonly PLATFORM_SIGN_IN_ISSUER?: string | undefined;
  /** Client id at that provider. */
  readonly PLATFORM_SIGN_IN_CLIENT_ID?: string | undefined;
  /** Client secret at that provider, at least 8 characters. */
  readonly PLATFORM_SIGN_IN_CLIENT_SECRET?: string | undefined;
  /** Scopes that the sign-in requests from that provider. Default: `openid profile email`. */
  readonly PLATFORM_SIGN_IN_SCOPE?: string | undefined;
  /** Claim of the ID token that gives the role: a text or a list of texts. Default: `roles`. */
  readonly PLATFORM_SIGN_IN_CLAIM?: string | undefined;
  /** Role for each value of the claim, such as `console=viewer,on-call=operator`; other people are refused. */
  readonly PLATFORM_SIGN_IN_ROLES?: string | undefined;
  /** Maximum levels of fields in a GraphQL operation. Default: `12`. */
  readonly GRAPHQL_MAX_DEPTH?: number | undefined;
  /** Maximum aliases in a GraphQL operation. Default: `30`. */
  readonly GRAPHQL_MAX_ALIASES?: number | undefined;
  /** Maximum root fields in a GraphQL operation. Default: `10`. */
  readonly GRAPHQL_MAX_ROOT_FIELDS?: number | undefined;
  /** Maximum tokens in a GraphQL document. Default: `2000`. */
  readonly GRAPHQL_MAX_TOKENS?: number | undefined;
  /** Maximum cost of a GraphQL operation: the number of objects that it may read, where a large value counts as 5 or 10. The cost is returned in `extensions.cost`. Default: `10000`. */
  readonly GRAPHQL_MAX_COST?: number | undefined;
  /** Maximum size of an answer of `/graphql` and of an event of a subscription, in bytes. Default: `10000000`. */
  readonly GRAPHQL_MAX_RESPONSE_BYTES?: number | undefined;
  /** Time limit of a GraphQL query or mutation, also for one that a REST call runs. Default: `30`. */
  readonly GRAPHQL_TIMEOUT_SECONDS?: number | undefined;
  /** Maximum open WebSockets of a key in a process; further ones are closed with code 1013. Default: `1000`. */
  readonly SOCKETS_PER_KEY?: number | undefined;
  /** Average number of messages of one WebSocket that are handled per second, with bursts of twice as many. Further messages are read later, so the client has to wait. Default: `200`. */
  readonly SOCKET_MESSAGES_PER_SECOND?: number | undefined;
  /** Maximum live events of a subscription that wait for a slow client; with one more, the subscription ends with `SLOW_CONSUMER`. Default: `1000`. */
  readonly SUBSCRIPTION_BUFFER_EVENTS?: number | undefined;
  /** Maximum size of the live events of a subscription that wait for a slow client, in bytes; a single event may always wait. Default: `262144`. */
  readonly SUBSCRIPTION_BUFFER_BYTES?: number | undefined;
  /** Time from the stop signal until a server stops listening. Meanwhile `/health/ready` answers 503 and calls are still answered. Use a longer time than your load balancer needs to notice. Default: `0`. */
  readonly DRAIN_SECONDS?: number | undefined;
  /** Time over which a stopping process ends its subscriptions, in batches; 0 ends all at once. Default: `5`. */
  readonly SUBSCRIPTION_DRAIN_SECONDS?: number | undefined;
  /** Directory of `*.graphql` documents that clients may run by their SHA-256, in addition to `schema/operations`. */
  readonly TRUSTED_DOCUMENTS_DIR?: string | undefined;
  /** Whether clients may run only trusted documents, by SHA-256 or in full. REST calls are not affected. Default: `false`. */
  readonly TRUSTED_DOCUMENTS_ONLY?: boolean | undefined;
  /** Whether clients may use introspection; by default only outside production. */
  readonly GRAPHQL_INTROSPECTION?: boolean | undefined;
  /** Port of the mutual-TLS listener; requires the other three `MTLS_` settings. */
  readonly MTLS_PORT?: number | undefined;
  /** PEM certificate of the mutual-TLS listener. */
  readonly MTLS_CERT_FILE?: string | undefined;
  /** PEM private key of the mutual-TLS listener. */
  readonly MTLS_KEY_FILE?: string | undefined;
  /** PEM certificate authority that signs the client certificates. */
  readonly MTLS_CA_FILE?: string | undefined;
  /** Time limit for receiving a whole request, headers and body; slower requests are answered 408 and the connection is closed. Default: `60`. */
  readonly REQUEST_TIMEOUT_SECONDS?: number | undefined;
  /** Port that serves only `/metrics`, without authentication: keep it private. 0 uses any free port. Outside production, `/metrics` is also served on `PORT`. */
  readonly METRICS_PORT?: number | undefined;
  /** Address to listen on for `METRICS_PORT`; by default the value of `HOST`. */
  readonly METRICS_HOST?: string | undefined;
  /** Token of at least 16 characters with which `/metrics` is also served on `PORT` in production, for callers that send `Authorization: Bearer` and the token. */
  readonly METRICS_TOKEN?: string | undefined;
  /** CIDR blocks of the proxies in front of this service, separated by commas, such as `10.0.0.0/8`. For connections from them, the caller's address is taken from `X-Forwarded-For`; for others, it is the address of the connection. Default: empty. */
  readonly TRUSTED_PROXIES?: readonly string[] | undefined;
  /** Origins of web pages that may call `/graphql` and the REST APIs, separated by commas, such as `https://app.example.com`; empty for none. Default: empty. */
  readonly CORS_ORIGINS?: readonly string[] | undefined;
  /** Lowest level of log entries that are written. Default: `info`. */
  readonly LOG_LEVEL?: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent' | undefined;
}
