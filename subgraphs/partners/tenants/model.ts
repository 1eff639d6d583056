import { type Connection, type Model, Schema } from 'mongoose';
import { type AccountId, type Environment, tenantOf } from '../../kernel/account.ts';
import { keepWhole } from '../../kernel/database/shard-keys.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { createWebhookEndpointModel, type WebhookEndpointDocument } from './endpoint-model.ts';
import type { FourEyesAct } from './four-eyes.ts';
import type { RateLimits } from './rate-limits.ts';
import { SIGNATURE_SCHEMES, type SignatureScheme } from './signature-scheme.ts';
import type { WebhookOrdering } from './webhook-ordering.ts';

/**
 * A partner in one environment, as stored. Both environments have the same values of `name`, `country`, `countries`, `dialCodes`,
 * `features`, `flows`, `sourceCountry`, `fee`, `mtlsClientCertSha256` and `fourEyes`. Secrets are sealed (AES-256-GCM, context
 * `accountId|field|tenant`).
 */
export interface TenantDocument {
  _id: AccountId;
  tenantId: string;
  environment: Environment;
  name: string;
  country?: string;
  defaultCurrency?: string;
  countries: string[];
  dialCodes: string[];
  features: string[];
  flows: string[];
  landingBaseUrl?: string;
  messagingBaseUrl?: string;
  messageTemplate?: string;
  widgetBaseUrl?: string;
  attributionBaseUrl?: string;
  webhookUrl?: string;
  webhookSecret?: Buffer;
  /** Sealed JSON: replaced secrets that still sign, each with its end. */
  webhookFormerSecrets?: Buffer;
  /** When the partner rotated its secret. From then on the secret is the partner's, and no seed sets it. */
  webhookSecretRegeneratedAt?: Date;
  webhookEvents: string[];
  /**
   * The version of the event catalogue that `webhookUrl`, `operationStatusHook` and the URL for operational events are pinned to: the newest
   * one when the partner was created, until it chooses another one.
   */
  webhookEventVersion: number;
  /** Absent: NONE. */
  webhookOrdering?: WebhookOrdering;
  /** Of `webhookUrl`. Absent: DOCUMENTED. */
  webhookSignatureScheme?: SignatureScheme;
  /** Sealed JSON: the partner's own headers for `webhookUrl`, with their values; absent: none. */
  webhookHeaders?: Buffer;
  /** When the partner changed its URL, its events or their order. From then on no seed sets them. */
  webhookConfiguredAt?: Date;
  /** Counts changes of its endpoints, so that two at once conflict. */
  endpointChanges?: number;
  operationStatusHook?: string;
  sharedSecret?: Buffer;
  /** Sealed JSON: the sign-in to the console by OpenID Connect, with its client secret. */
  signIn?: Buffer;
  /** Sealed JSON: the receivers of operational events, with their addresses; absent: none. */
  operationalEvents?: Buffer;
  /** When the partner changed these receivers. From then on no seed sets them. */
  operationalEventsConfiguredAt?: Date;
  /** Absent: the limits of all partners. */
  rateLimits?: RateLimits;
  sourceCountry?: string;
  fee: { fixed: string; percent: string };
  mtlsClientCertSha256: string[];
  /** Acts that need the approval of another person, an administrator; absent: none. */
  fourEyes?: FourEyesAct[];
  createdAt: Date;
  updatedAt: Date;
}

/** A route of money: source, destination, payout method, and the provider that pays out. */
export interface RouteDocument {
  sourceCountry: string;
  destinationCountry: string;
  destinationCurrency: string;
  payoutType: string;
  payerCode: string | null;
  /** The partner's state codes and what the provider calls them; absent when the route needs no state. */
  states?: Record<string, string>;
  minAmount?: string;
  maxAmount?: string;
}

/** Units of `destination` for one unit of `source`. */
export interface FxRateDocument {
  source: string;
  destination: string;
  rate: string;
  /** The time of the rate: that of the source that it comes from, or of its last setting. */
  asOf: Date;
  /** From then on the rate is too old for live calls; absent for a rate that is set, which does not age. */
  staleAt?: Date;
}

const text = { type: String };
const required = { type: String, required: true };
const list = { type: [String], required: true };

const tenantSchema = new Schema<TenantDocument>(
  {
    _id: required,
    tenantId: required,
    environment: required,
    name: required,
    country: text,
    defaultCurrency: text,
    countries: list,
    dialCodes: list,
    features: list,
    flows: list,
    landingBaseUrl: text,
    messagingBaseUrl: text,
    messageTemplate: text,
    widgetBaseUrl: text,
    attributionBaseUrl: text,
    webhookUrl: text,
    webhookSecret: Buffer,
    webhookFormerSecrets: Buffer,
    webhookSecretRegeneratedAt: Date,
    webhookEvents: list,
    webhookEventVersion: { type: Number, required: true },
    webhookOrdering: text,
    webhookSignatureScheme: { type: String, enum: SIGNATURE_SCHEMES },
    webhookHeaders: Buffer,
    webhookConfiguredAt: Date,
    endpointChanges: Number,
    operationStatusHook: text,
    sharedSecret: Buffer,
    signIn: Buffer,
    operationalEvents: Buffer,
    operationalEventsConfiguredAt: Date,
    rateLimits: { type: Schema.Types.Mixed },
    sourceCountry: text,
    fee: { fixed: required, percent: required },
    mtlsClientCertSha256: list,
    fourEyes: { type: [String], default: undefined },
  },
  { collection: 'tenants', timestamps: true, versionKey: false },
);
keepWhole(tenantSchema, 'few, and read by every process');

const routeSchema = new Schema<RouteDocument>(
  {
    sourceCountry: required,
    destinationCountry: required,
    destinationCurrency: required,
    payoutType: required,
    payerCode: { type: String, default: null },
    states: { type: Schema.Types.Mixed },
    minAmount: text,
    maxAmount: text,
  },
  { collection: 'routes', versionKey: false },
);
keepWhole(routeSchema, 'few, and of no account');
// Serves: the routes of one corridor, and one route's upsert.
routeSchema.index(
  { sourceCountry: 1, destinationCountry: 1, destinationCurrency: 1, payoutType: 1 },
  { unique: true },
);

const fxRateSchema = new Schema<FxRateDocument>(
  {
    source: required,
    destination: required,
    rate: required,
    asOf: { type: Date, required: true },
    staleAt: Date,
  },
  { collection: 'fxRates', versionKey: false },
);
keepWhole(fxRateSchema, 'few, and of no account');
fxRateSchema.index({ source: 1, destination: 1 }, { unique: true });

/** The collections of partners and of the settings that all partners share. */
export interface TenantModels {
  readonly tenants: Model<TenantDocument>;
  readonly routes: Model<RouteDocument>;
  readonly fxRates: Model<FxRateDocument>;
  readonly endpoints: Model<WebhookEndpointDocument>;
}

/** The error of a command for a partner that does not exist. */
export function unknownPartner(accountId: AccountId): OperatorError {
  return new OperatorError(`There is no partner ${tenantOf(accountId)}`);
}

export function createTenantModels(connection: Connection): TenantModels {
  return {
    tenants: connection.model<TenantDocument>('Tenant', tenantSchema),
    routes: connection.model<RouteDocument>('Route', routeSchema),
    fxRates: connection.model<FxRateDocument>('FxRate', fxRateSchema),
    endpoints: createWebhookEndpointModel(connection),
  };
}
