// Made by `npm run schema` from the documents of this folder. Do not edit.

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> =
  | T
  | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export const ApprovalStatus = {
  PENDING: 'PENDING',
  APPROVED: 'APPROVED',
  REJECTED: 'REJECTED',
  EXPIRED: 'EXPIRED',
} as const;

export type ApprovalStatus = (typeof ApprovalStatus)[keyof typeof ApprovalStatus];
export const FigureSubject = {
  OPERATION: 'OPERATION',
  REQUEST_MONEY: 'REQUEST_MONEY',
  WEBHOOK_DELIVERY: 'WEBHOOK_DELIVERY',
} as const;

export type FigureSubject = (typeof FigureSubject)[keyof typeof FigureSubject];
export const WebhookDeliveryStatus = {
  PENDING: 'PENDING',
  DELIVERED: 'DELIVERED',
  DEAD_LETTERED: 'DEAD_LETTERED',
  PAUSED: 'PAUSED',
} as const;

export type WebhookDeliveryStatus = (typeof WebhookDeliveryStatus)[keyof typeof WebhookDeliveryStatus];
export const PartnerEnvironment = {
  SANDBOX: 'SANDBOX',
  LIVE: 'LIVE',
} as const;

export type PartnerEnvironment = (typeof PartnerEnvironment)[keyof typeof PartnerEnvironment];
export const ApiSurface = {
  REMITTANCE: 'REMITTANCE',
  REQUEST_MONEY: 'REQUEST_MONEY',
  PARTNER: 'PARTNER',
  GRAPHQL: 'GRAPHQL',
} as const;

export type ApiSurface = (typeof ApiSurface)[keyof typeof ApiSurface];
export const FourEyesAct = {
  ROTATE_SECRET: 'ROTATE_SECRET',
  CREATE_KEY: 'CREATE_KEY',
  CHANGE_WEBHOOK_URL: 'CHANGE_WEBHOOK_URL',
  BULK_REPLAY: 'BULK_REPLAY',
} as const;

export type FourEyesAct = (typeof FourEyesAct)[keyof typeof FourEyesAct];
export const TimelineAction = {
  WAIT: 'WAIT',
  REPEAT_SAME_REQUEST: 'REPEAT_SAME_REQUEST',
  REQUEST_AGAIN: 'REQUEST_AGAIN',
  CORRECT_AND_REQUEST_AGAIN: 'CORRECT_AND_REQUEST_AGAIN',
  COMPLETE_IDENTITY_CHECK: 'COMPLETE_IDENTITY_CHECK',
  UNBLOCK_USER: 'UNBLOCK_USER',
  MEND_ENDPOINT_AND_REPLAY: 'MEND_ENDPOINT_AND_REPLAY',
  RESUME_ENDPOINT: 'RESUME_ENDPOINT',
  CONTACT_SUPPORT: 'CONTACT_SUPPORT',
  ASK_OPERATOR: 'ASK_OPERATOR',
} as const;

export type TimelineAction = (typeof TimelineAction)[keyof typeof TimelineAction];
export const CipStatus = {
  PENDING: 'PENDING',
  VERIFIED: 'VERIFIED',
  FAILED: 'FAILED',
} as const;

export type CipStatus = (typeof CipStatus)[keyof typeof CipStatus];
export const ConsoleAccess = {
  READ: 'READ',
  SUPPORT: 'SUPPORT',
  OPERATE: 'OPERATE',
  ADMIN: 'ADMIN',
} as const;

export type ConsoleAccess = (typeof ConsoleAccess)[keyof typeof ConsoleAccess];
export const LinkFlow = {
  CIP: 'CIP',
  TRANSFER: 'TRANSFER',
  REQUEST_MONEY: 'REQUEST_MONEY',
} as const;

export type LinkFlow = (typeof LinkFlow)[keyof typeof LinkFlow];
export const WebhookSignatureScheme = {
  DOCUMENTED: 'DOCUMENTED',
  STANDARD_WEBHOOKS: 'STANDARD_WEBHOOKS',
  HTTP_MESSAGE_SIGNATURES: 'HTTP_MESSAGE_SIGNATURES',
} as const;

export type WebhookSignatureScheme = (typeof WebhookSignatureScheme)[keyof typeof WebhookSignatureScheme];
export const FailureCause = {
  CARD_DECLINED: 'CARD_DECLINED',
  CARD_EXPIRED: 'CARD_EXPIRED',
  INSUFFICIENT_FUNDS: 'INSUFFICIENT_FUNDS',
  REJECTED: 'REJECTED',
  PAYMENT_FAILED: 'PAYMENT_FAILED',
  PAYOUT_FAILED: 'PAYOUT_FAILED',
} as const;

export type FailureCause = (typeof FailureCause)[keyof typeof FailureCause];
export const FigurePeriod = {
  HOUR: 'HOUR',
  DAY: 'DAY',
} as const;

export type FigurePeriod = (typeof FigurePeriod)[keyof typeof FigurePeriod];
export const LinkStatus = {
  CREATED: 'CREATED',
  OPENED: 'OPENED',
  REVOKED: 'REVOKED',
} as const;

export type LinkStatus = (typeof LinkStatus)[keyof typeof LinkStatus];
export const LinkActivityType = {
  LINK_CREATED: 'LINK_CREATED',
  LINK_OPENED: 'LINK_OPENED',
  LINK_REVOKED: 'LINK_REVOKED',
  CIP_TICKET_CREATED: 'CIP_TICKET_CREATED',
  CIP_VERIFIED: 'CIP_VERIFIED',
  CIP_FAILED: 'CIP_FAILED',
  DATA_REQUEST_CREATED: 'DATA_REQUEST_CREATED',
  DATA_REQUEST_FULFILLED: 'DATA_REQUEST_FULFILLED',
  OPERATION_CREATED: 'OPERATION_CREATED',
  OPERATION_STATUS_CHANGED: 'OPERATION_STATUS_CHANGED',
} as const;

export type LinkActivityType = (typeof LinkActivityType)[keyof typeof LinkActivityType];
export const LinkActivityActor = {
  PARTNER: 'PARTNER',
  USER: 'USER',
  SYSTEM: 'SYSTEM',
} as const;

export type LinkActivityActor = (typeof LinkActivityActor)[keyof typeof LinkActivityActor];
export const LinkActivityStatus = {
  SUCCESS: 'SUCCESS',
  ERROR: 'ERROR',
} as const;

export type LinkActivityStatus = (typeof LinkActivityStatus)[keyof typeof LinkActivityStatus];
export const LinkVisibility = {
  ACTIVE: 'ACTIVE',
  EXPIRED: 'EXPIRED',
} as const;

export type LinkVisibility = (typeof LinkVisibility)[keyof typeof LinkVisibility];
export const Language = {
  EN: 'EN',
  ES: 'ES',
} as const;

export type Language = (typeof Language)[keyof typeof Language];
export const OperatorLogSource = {
  COMMAND: 'COMMAND',
  CONSOLE: 'CONSOLE',
} as const;

export type OperatorLogSource = (typeof OperatorLogSource)[keyof typeof OperatorLogSource];
export const PayoutMethod = {
  BANK_ACCOUNT: 'BANK_ACCOUNT',
  CARD: 'CARD',
  CASH: 'CASH',
} as const;

export type PayoutMethod = (typeof PayoutMethod)[keyof typeof PayoutMethod];
export const PlatformRemittanceList = {
  STUCK: 'STUCK',
  WITHDRAWAL_UNKNOWN: 'WITHDRAWAL_UNKNOWN',
} as const;

export type PlatformRemittanceList = (typeof PlatformRemittanceList)[keyof typeof PlatformRemittanceList];
export const PlatformLeaseState = {
  HELD: 'HELD',
  LAPSED: 'LAPSED',
  FREE: 'FREE',
} as const;

export type PlatformLeaseState = (typeof PlatformLeaseState)[keyof typeof PlatformLeaseState];
export const PlatformSettingSource = {
  GIVEN: 'GIVEN',
  DEFAULT: 'DEFAULT',
  GENERATED: 'GENERATED',
} as const;

export type PlatformSettingSource = (typeof PlatformSettingSource)[keyof typeof PlatformSettingSource];
export const ReplayableWebhookStatus = {
  DELIVERED: 'DELIVERED',
  DEAD_LETTERED: 'DEAD_LETTERED',
  PENDING: 'PENDING',
} as const;

export type ReplayableWebhookStatus = (typeof ReplayableWebhookStatus)[keyof typeof ReplayableWebhookStatus];
export const RequestOutcome = {
  SUCCESS: 'SUCCESS',
  CLIENT_ERROR: 'CLIENT_ERROR',
  SERVER_ERROR: 'SERVER_ERROR',
} as const;

export type RequestOutcome = (typeof RequestOutcome)[keyof typeof RequestOutcome];
export const SandboxResetState = {
  RUNNING: 'RUNNING',
  DONE: 'DONE',
} as const;

export type SandboxResetState = (typeof SandboxResetState)[keyof typeof SandboxResetState];
export const WebhookOrdering = {
  NONE: 'NONE',
  PER_ENTITY: 'PER_ENTITY',
} as const;

export type WebhookOrdering = (typeof WebhookOrdering)[keyof typeof WebhookOrdering];
export const WebhookBreakerState = {
  CLOSED: 'CLOSED',
  OPEN: 'OPEN',
  HALF_OPEN: 'HALF_OPEN',
} as const;

export type WebhookBreakerState = (typeof WebhookBreakerState)[keyof typeof WebhookBreakerState];
export const WebhookReplayState = {
  RUNNING: 'RUNNING',
  DONE: 'DONE',
  STOPPED: 'STOPPED',
} as const;

export type WebhookReplayState = (typeof WebhookReplayState)[keyof typeof WebhookReplayState];
export const WebhookSubjectKind = {
  REQUEST_MONEY: 'REQUEST_MONEY',
  REMITTANCE: 'REMITTANCE',
  LINK: 'LINK',
} as const;

export type WebhookSubjectKind = (typeof WebhookSubjectKind)[keyof typeof WebhookSubjectKind];
export const SearchKey = {
  ID: 'ID',
  NODE_ID: 'NODE_ID',
  REFERENCE_ID: 'REFERENCE_ID',
  CODE: 'CODE',
  PLAT_ID: 'PLAT_ID',
  IDEMPOTENCY_KEY: 'IDEMPOTENCY_KEY',
  X_REQUEST_ID: 'X_REQUEST_ID',
  URL: 'URL',
  USER_REFERENCE_ID: 'USER_REFERENCE_ID',
  PHONE_NUMBER: 'PHONE_NUMBER',
  EMAIL: 'EMAIL',
  NAME: 'NAME',
  PAYER_PHONE_NUMBER: 'PAYER_PHONE_NUMBER',
} as const;

export type SearchKey = (typeof SearchKey)[keyof typeof SearchKey];
export const TimelineSubject = {
  OPERATION: 'OPERATION',
  REMITTANCE: 'REMITTANCE',
  REQUEST_MONEY: 'REQUEST_MONEY',
} as const;

export type TimelineSubject = (typeof TimelineSubject)[keyof typeof TimelineSubject];
export const VerdictCause = {
  WAITING_FOR_PAYER: 'WAITING_FOR_PAYER',
  PAYER_IGNORED: 'PAYER_IGNORED',
  WAITING_FOR_PAYMENT: 'WAITING_FOR_PAYMENT',
  PAYING: 'PAYING',
  PAID: 'PAID',
  PAYOUT_UNDER_WAY: 'PAYOUT_UNDER_WAY',
  CASH_READY: 'CASH_READY',
  UNDER_REVIEW: 'UNDER_REVIEW',
  COMPLETED: 'COMPLETED',
  CARD_DECLINED: 'CARD_DECLINED',
  CARD_EXPIRED: 'CARD_EXPIRED',
  INSUFFICIENT_FUNDS: 'INSUFFICIENT_FUNDS',
  REJECTED: 'REJECTED',
  PAYMENT_FAILED: 'PAYMENT_FAILED',
  PAYOUT_FAILED: 'PAYOUT_FAILED',
  EXPIRED: 'EXPIRED',
  CANCELLED_BY_PARTNER: 'CANCELLED_BY_PARTNER',
  CANCELLED: 'CANCELLED',
  CHECKING_IDENTITY: 'CHECKING_IDENTITY',
  SAVING_CONTACT: 'SAVING_CONTACT',
  CHECKING_PAYOUT_METHOD: 'CHECKING_PAYOUT_METHOD',
  ASKING_PAYER: 'ASKING_PAYER',
  RETRYING: 'RETRYING',
  UNANSWERED: 'UNANSWERED',
  WITHDRAWING: 'WITHDRAWING',
  PAYER_MAY_HAVE_BEEN_ASKED: 'PAYER_MAY_HAVE_BEEN_ASKED',
  WITHDRAWN: 'WITHDRAWN',
  IDENTITY_NOT_VERIFIED: 'IDENTITY_NOT_VERIFIED',
  USER_BLOCKED: 'USER_BLOCKED',
  PAYOUT_METHOD_REFUSED: 'PAYOUT_METHOD_REFUSED',
  PROVIDER_UNAVAILABLE: 'PROVIDER_UNAVAILABLE',
  ENDED_BY_OPERATOR: 'ENDED_BY_OPERATOR',
  ALREADY_COMPLETED: 'ALREADY_COMPLETED',
  REFUSED: 'REFUSED',
} as const;

export type VerdictCause = (typeof VerdictCause)[keyof typeof VerdictCause];
export const DiscrepancyKind = {
  MISSING_WITH_US: 'MISSING_WITH_US',
  MISSING_WITH_THEM: 'MISSING_WITH_THEM',
  AMOUNT_DIFFERS: 'AMOUNT_DIFFERS',
  DUPLICATE: 'DUPLICATE',
} as const;

export type DiscrepancyKind = (typeof DiscrepancyKind)[keyof typeof DiscrepancyKind];
export const DiscrepancyState = {
  OPEN: 'OPEN',
  INVESTIGATING: 'INVESTIGATING',
  RESOLVED: 'RESOLVED',
  ACCEPTED: 'ACCEPTED',
} as const;

export type DiscrepancyState = (typeof DiscrepancyState)[keyof typeof DiscrepancyState];
export const JournalEntryKind = {
  CLAIM: 'CLAIM',
  FUNDING: 'FUNDING',
  PAYOUT: 'PAYOUT',
  REFUND: 'REFUND',
  RELEASE: 'RELEASE',
} as const;

export type JournalEntryKind = (typeof JournalEntryKind)[keyof typeof JournalEntryKind];
export const LedgerAccount = {
  PAYER_RECEIVABLE: 'PAYER_RECEIVABLE',
  PARTNER_PAYABLE: 'PARTNER_PAYABLE',
  FEE_INCOME: 'FEE_INCOME',
  FX_POSITION: 'FX_POSITION',
  PROVIDER_CLEARING: 'PROVIDER_CLEARING',
} as const;

export type LedgerAccount = (typeof LedgerAccount)[keyof typeof LedgerAccount];
export const OperationStatus = {
  SENT: 'SENT',
  FUNDING: 'FUNDING',
  FUNDED: 'FUNDED',
  ACCEPTED: 'ACCEPTED',
  REJECTED: 'REJECTED',
  READY_FOR_PICKUP: 'READY_FOR_PICKUP',
  COMPLETED: 'COMPLETED',
  FAILED: 'FAILED',
  ON_HOLD: 'ON_HOLD',
  IN_TRANSIT: 'IN_TRANSIT',
  CANCELLED: 'CANCELLED',
} as const;

export type OperationStatus = (typeof OperationStatus)[keyof typeof OperationStatus];
export const PaymentMethodType = {
  DEBIT_CARD: 'DEBIT_CARD',
  CREDIT_CARD: 'CREDIT_CARD',
  UBN: 'UBN',
  CASH_PICKUP: 'CASH_PICKUP',
} as const;

export type PaymentMethodType = (typeof PaymentMethodType)[keyof typeof PaymentMethodType];
export const ReservationStatus = {
  IN_PROGRESS: 'IN_PROGRESS',
  SUCCEEDED: 'SUCCEEDED',
  FAILED: 'FAILED',
} as const;

export type ReservationStatus = (typeof ReservationStatus)[keyof typeof ReservationStatus];
export const StatementPeriod = {
  DAY: 'DAY',
  MONTH: 'MONTH',
} as const;

export type StatementPeriod = (typeof StatementPeriod)[keyof typeof StatementPeriod];
export const WithdrawalStatus = {
  PENDING: 'PENDING',
  CANCELLED: 'CANCELLED',
  NOT_FOUND: 'NOT_FOUND',
  ALREADY_PAID: 'ALREADY_PAID',
  UNKNOWN: 'UNKNOWN',
} as const;

export type WithdrawalStatus = (typeof WithdrawalStatus)[keyof typeof WithdrawalStatus];
export const RemittancePhase = {
  CIP: 'CIP',
  CONTACT: 'CONTACT',
  PAYMENT_METHOD: 'PAYMENT_METHOD',
  REQUEST_MONEY: 'REQUEST_MONEY',
} as const;

export type RemittancePhase = (typeof RemittancePhase)[keyof typeof RemittancePhase];
export const PaymentKind = {
  MONEY_REQUEST: 'MONEY_REQUEST',
  ATOMIC_CALL: 'ATOMIC_CALL',
  REQUEST_V2: 'REQUEST_V2',
} as const;

export type PaymentKind = (typeof PaymentKind)[keyof typeof PaymentKind];
export const PaymentStatus = {
  PENDING: 'PENDING',
  PROCESSING: 'PROCESSING',
  COMPLETED: 'COMPLETED',
  FAILED: 'FAILED',
  CANCELLED: 'CANCELLED',
} as const;

export type PaymentStatus = (typeof PaymentStatus)[keyof typeof PaymentStatus];
export const RemittanceStatus = {
  IN_PROGRESS: 'IN_PROGRESS',
  SUCCEEDED: 'SUCCEEDED',
  FAILED: 'FAILED',
} as const;

export type RemittanceStatus = (typeof RemittanceStatus)[keyof typeof RemittanceStatus];
export const RequestMoneyStatus = {
  PENDING: 'PENDING',
  PROCESSING: 'PROCESSING',
  COMPLETED: 'COMPLETED',
  REJECTED: 'REJECTED',
  CANCELLED: 'CANCELLED',
} as const;

export type RequestMoneyStatus = (typeof RequestMoneyStatus)[keyof typeof RequestMoneyStatus];
export const BlockerKind = {
  API_KEY: 'API_KEY',
  CONSOLE_SESSION: 'CONSOLE_SESSION',
  OPERATOR: 'OPERATOR',
} as const;

export type BlockerKind = (typeof BlockerKind)[keyof typeof BlockerKind];
export type AdvanceSandboxClockInput = {
  readonly seconds: number;
};

export type ApprovalInput = {
  readonly id: string;
};

export type CreateApiKeyInput = {
  readonly scopes: ReadonlyArray<string>;
  readonly label?: string;
};

export type CreateWebhookEndpointInput = {
  readonly url: string;
  readonly events?: ReadonlyArray<string> | null | undefined;
  readonly eventVersion?: number | null | undefined;
  readonly secret?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly signatureScheme?: WebhookSignatureScheme | null | undefined;
  readonly headers?: ReadonlyArray<WebhookHeaderInput> | null | undefined;
};

export type DeleteWebhookEndpointInput = {
  readonly id: string;
};

export type FailRemittanceInput = {
  readonly id: string;
  readonly reason: string;
};

export type LinkWhereInput = {
  readonly createdAt?: TimeRangeInput | null | undefined;
  readonly visibility?: LinkVisibility | null | undefined;
  readonly status?: ReadonlyArray<LinkStatus> | null | undefined;
  readonly referenceId?: string | null | undefined;
  readonly flow?: ReadonlyArray<LinkFlow> | null | undefined;
  readonly userId?: string | null | undefined;
};

export type OperatorLogWhereInput = {
  readonly tenantId?: string | null | undefined;
  readonly act?: string | null | undefined;
  readonly createdAt?: TimeRangeInput | null | undefined;
};

export type ReplayWebhookDeliveriesInput = {
  readonly status?: ReadonlyArray<ReplayableWebhookStatus> | null | undefined;
  readonly event?: string | null | undefined;
  readonly endpointId?: string | null | undefined;
  readonly toCurrentUrl?: boolean | null | undefined;
  readonly createdAt?: TimeRangeInput | null | undefined;
  readonly limit?: number | null | undefined;
  readonly dryRun?: boolean | null | undefined;
};

export type ReplayWebhookDeliveryInput = {
  readonly id: string;
  readonly toCurrentUrl?: boolean | null | undefined;
};

export type RequestLogWhereInput = {
  readonly requestId?: string | null | undefined;
  readonly subject?: string | null | undefined;
  readonly surface?: ApiSurface | null | undefined;
  readonly outcome?: ReadonlyArray<RequestOutcome> | null | undefined;
  readonly code?: string | null | undefined;
  readonly isReveal?: boolean | null | undefined;
  readonly at?: TimeRangeInput | null | undefined;
};

export type RetryRemittanceInput = {
  readonly id: string;
  readonly reason?: string | null | undefined;
};

export type RevokeApiKeyInput = {
  readonly id: string;
};

export type RevokeConsoleSessionInput = {
  readonly id: string;
};

export type RevokeLinkInput = {
  readonly linkId: string;
};

export type RotateApiKeyInput = {
  readonly id: string;
  readonly overlapMinutes?: number;
};

export type RotateWebhookSecretInput = {
  readonly endpointId?: string | null | undefined;
  readonly overlapHours?: number | null | undefined;
};

export type SendTestWebhookInput = {
  readonly event?: string | null | undefined;
  readonly endpointId?: string | null | undefined;
};

export type SendWebhookDeliveryNowInput = {
  readonly id: string;
};

export type SimulateCipInput = {
  readonly userId: string;
  readonly status: CipStatus;
  readonly provider?: string | null | undefined;
  readonly result?: Readonly<Record<string, unknown>> | null | undefined;
};

export type SimulateLinkOpenedInput = {
  readonly linkId: string;
};

export type StopWebhookReplayInput = {
  readonly id: string;
};

export type TimeRangeInput = {
  readonly gte?: string | null | undefined;
  readonly lt?: string | null | undefined;
};

export type UpdateWebhookConfigInput = {
  readonly webhookUrl?: string | null | undefined;
  readonly webhookEvents?: ReadonlyArray<string> | null | undefined;
  readonly webhookEventVersion?: number | null | undefined;
  readonly webhookSecret?: string | null | undefined;
  readonly webhookOrdering?: WebhookOrdering | null | undefined;
  readonly webhookSignatureScheme?: WebhookSignatureScheme | null | undefined;
  readonly webhookHeaders?: ReadonlyArray<WebhookHeaderInput> | null | undefined;
};

export type UpdateWebhookEndpointInput = {
  readonly id: string;
  readonly url?: string | null | undefined;
  readonly events?: ReadonlyArray<string> | null | undefined;
  readonly eventVersion?: number | null | undefined;
  readonly description?: string | null | undefined;
  readonly signatureScheme?: WebhookSignatureScheme | null | undefined;
  readonly headers?: ReadonlyArray<WebhookHeaderInput> | null | undefined;
};

export type WebhookDeliveryWhereInput = {
  readonly status?: ReadonlyArray<WebhookDeliveryStatus> | null | undefined;
  readonly event?: string | null | undefined;
  readonly endpointId?: string | null | undefined;
  readonly createdAt?: TimeRangeInput | null | undefined;
};

export type WebhookEndpointInput = {
  readonly id: string;
};

export type WebhookHeaderInput = {
  readonly name: string;
  readonly value: string;
};

export type AmountRangeInput = {
  readonly gte?: string | null | undefined;
  readonly lte?: string | null | undefined;
};

export type DiscrepancyWhereInput = {
  readonly state?: DiscrepancyState | null | undefined;
  readonly kind?: DiscrepancyKind | null | undefined;
  readonly reference?: string | null | undefined;
  readonly createdAt?: TimeRangeInput | null | undefined;
};

export type OperationWhereInput = {
  readonly amount?: AmountRangeInput | null | undefined;
  readonly currency?: string | null | undefined;
  readonly sourceCountry?: string | null | undefined;
  readonly destinationCountry?: string | null | undefined;
  readonly status?: ReadonlyArray<OperationStatus> | null | undefined;
  readonly createdAt?: TimeRangeInput | null | undefined;
  readonly userId?: string | null | undefined;
  readonly referenceId?: string | null | undefined;
  readonly contactId?: string | null | undefined;
  readonly failureCause?: ReadonlyArray<FailureCause> | null | undefined;
};

export type ResolveDiscrepancyInput = {
  readonly id: string;
  readonly version: number;
  readonly state: DiscrepancyState;
  readonly owner?: string | null | undefined;
  readonly note?: string | null | undefined;
};

export type SimulateOperationStatusInput = {
  readonly operationId: string;
  readonly status: OperationStatus;
  readonly statusDetails?: string | null | undefined;
  readonly failureReason?: string | null | undefined;
};

export type StatementWhereInput = {
  readonly period?: StatementPeriod | null | undefined;
  readonly currency?: string | null | undefined;
  readonly createdAt?: TimeRangeInput | null | undefined;
};

export type BankAccountInput = {
  readonly accountNumber: string;
  readonly bankCode?: string | null | undefined;
};

export type CancelRequestMoneyInput = {
  readonly referenceId: string;
  readonly reason?: string | null | undefined;
};

export type CashInput = {
  readonly provider: string;
};

export type CreateRequestMoneyInput = {
  readonly referenceId: string;
  readonly amount: string;
  readonly currency: string;
  readonly expiresInMinutes?: number | null | undefined;
  readonly quoteId?: string | null | undefined;
  readonly requestData: RequestDataInput;
};

export type PayoutCardInput = {
  readonly number: string;
  readonly nameOnCard?: string | null | undefined;
  readonly expirationDate?: string | null | undefined;
};

export type RemittanceWhereInput = {
  readonly amount?: AmountRangeInput | null | undefined;
  readonly currency?: string | null | undefined;
  readonly sourceCountry?: string | null | undefined;
  readonly destinationCountry?: string | null | undefined;
  readonly status?: ReadonlyArray<RemittanceStatus> | null | undefined;
  readonly isStuck?: boolean | null | undefined;
  readonly createdAt?: TimeRangeInput | null | undefined;
  readonly userId?: string | null | undefined;
};

export type RequestDataInput = {
  readonly userReferenceId: string;
  readonly name: RequesterNameInput;
  readonly address: RequesterAddressInput;
  readonly dob?: string | null | undefined;
  readonly payoutMethod: PayoutMethod;
  readonly bankAccount?: BankAccountInput | null | undefined;
  readonly card?: PayoutCardInput | null | undefined;
  readonly cash?: CashInput | null | undefined;
};

export type RequestMoneyWhereInput = {
  readonly amount?: AmountRangeInput | null | undefined;
  readonly currency?: string | null | undefined;
  readonly sourceCountry?: string | null | undefined;
  readonly destinationCountry?: string | null | undefined;
  readonly status?: ReadonlyArray<RequestMoneyStatus> | null | undefined;
  readonly createdAt?: TimeRangeInput | null | undefined;
  readonly referenceId?: string | null | undefined;
  readonly userReferenceId?: string | null | undefined;
  readonly userId?: string | null | undefined;
  readonly failureCause?: ReadonlyArray<FailureCause> | null | undefined;
};

export type RequesterAddressInput = {
  readonly country: string;
  readonly state?: string | null | undefined;
  readonly city?: string | null | undefined;
  readonly line1?: string | null | undefined;
  readonly postalCode?: string | null | undefined;
};

export type RequesterNameInput = {
  readonly firstName: string;
  readonly lastName: string;
  readonly secondName?: string | null | undefined;
  readonly secondLastName?: string | null | undefined;
};

export type SimulateRequestMoneyStatusInput = {
  readonly referenceId: string;
  readonly status: RequestMoneyStatus;
  readonly statusDetails?: string | null | undefined;
};

export type BlockUserInput = {
  readonly userId: string;
  readonly reason?: string | null | undefined;
};

export type EraseUserInput = {
  readonly id: string;
  readonly reason: string;
};

export type UnblockUserInput = {
  readonly userId: string;
};

export type UserWhereInput = {
  readonly createdAt?: TimeRangeInput | null | undefined;
  readonly referenceId?: string | null | undefined;
  readonly cipStatus?: ReadonlyArray<CipStatus> | null | undefined;
  readonly blocked?: boolean | null | undefined;
  readonly phoneNumber?: string | null | undefined;
  readonly email?: string | null | undefined;
};

export type ConsoleAdvanceSandboxClockMutationVariables = Exact<{
  input: AdvanceSandboxClockInput;
}>;

export type ConsoleAdvanceSandboxClockMutation = {
  readonly advanceSandboxClock: {
    readonly sandbox: { readonly clockAheadSeconds: number } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleApprovalsQueryVariables = Exact<{ [key: string]: never }>;

export type ConsoleApprovalsQuery = {
  readonly me: { readonly fourEyes: ReadonlyArray<FourEyesAct> };
  readonly approvals: ReadonlyArray<{
    readonly id: string;
    readonly status: ApprovalStatus;
    readonly acts: ReadonlyArray<FourEyesAct>;
    readonly operation: string;
    readonly requestedBy: string;
    readonly requestedIn: string;
    readonly createdAt: string;
    readonly expiresAt: string;
    readonly decidedBy: string | null;
    readonly decidedAt: string | null;
    readonly input: ReadonlyArray<{ readonly name: string; readonly value: string }>;
  }>;
};

export type ConsoleApproveMutationVariables = Exact<{
  input: ApprovalInput;
}>;

export type ConsoleApproveMutation = {
  readonly approve: {
    readonly key: string | null;
    readonly webhookSecret: string | null;
    readonly approval: { readonly id: string; readonly status: ApprovalStatus } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleBlockUserMutationVariables = Exact<{
  input: BlockUserInput;
}>;

export type ConsoleBlockUserMutation = {
  readonly blockUser: {
    readonly user: { readonly id: string; readonly blocked: boolean } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleCancelRequestMoneyMutationVariables = Exact<{
  input: CancelRequestMoneyInput;
}>;

export type ConsoleCancelRequestMoneyMutation = {
  readonly cancelRequestMoney: {
    readonly requestMoney: { readonly referenceId: string; readonly status: RequestMoneyStatus } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleCreateEndpointMutationVariables = Exact<{
  input: CreateWebhookEndpointInput;
}>;

export type ConsoleCreateEndpointMutation = {
  readonly createWebhookEndpoint: {
    readonly webhookSecret: string | null;
    readonly webhookEndpoint: { readonly id: string } | null;
    readonly pendingApproval: { readonly id: string; readonly expiresAt: string } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleCreateKeyMutationVariables = Exact<{
  input: CreateApiKeyInput;
}>;

export type ConsoleCreateKeyMutation = {
  readonly createApiKey: {
    readonly key: string | null;
    readonly pendingApproval: { readonly id: string; readonly expiresAt: string } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleCreateRequestMoneyMutationVariables = Exact<{
  input: CreateRequestMoneyInput;
  idempotencyKey: string;
}>;

export type ConsoleCreateRequestMoneyMutation = {
  readonly createRequestMoney: {
    readonly requestMoney: { readonly referenceId: string } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleDeleteEndpointMutationVariables = Exact<{
  input: DeleteWebhookEndpointInput;
}>;

export type ConsoleDeleteEndpointMutation = {
  readonly deleteWebhookEndpoint: {
    readonly webhookEndpoint: { readonly id: string } | null;
    readonly pendingApproval: { readonly id: string; readonly expiresAt: string } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleDeliveriesQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  where?: WebhookDeliveryWhereInput | null | undefined;
}>;

export type ConsoleDeliveriesQuery = {
  readonly latestEventCursor: string;
  readonly webhookDeliveries: {
    readonly nodes: ReadonlyArray<{
      readonly id: string;
      readonly event: string;
      readonly endpointId: string | null;
      readonly status: WebhookDeliveryStatus;
      readonly attempt: number;
      readonly nextAttemptAt: string | null;
      readonly createdAt: string;
      readonly finishedAt: string | null;
      readonly lastError: string | null;
      readonly lastStatusCode: number | null;
      readonly url: string;
      readonly subject: { readonly kind: WebhookSubjectKind; readonly id: string } | null;
    }>;
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
      readonly startCursor: string | null;
      readonly endCursor: string | null;
    };
  };
};

export type ConsoleDeliveryQueryVariables = Exact<{
  id: string;
  isRevealed: boolean;
}>;

export type ConsoleDeliveryQuery = {
  readonly webhookDelivery: {
    readonly id: string;
    readonly event: string;
    readonly status: WebhookDeliveryStatus;
    readonly attempt: number;
    readonly nextAttemptAt: string | null;
    readonly createdAt: string;
    readonly finishedAt: string | null;
    readonly lastError: string | null;
    readonly lastStatusCode: number | null;
    readonly url: string;
    readonly currentUrl: string | null;
    readonly body?: string;
    readonly subject: { readonly kind: WebhookSubjectKind; readonly id: string } | null;
    readonly failure: {
      readonly code: string;
      readonly message: string | null;
      readonly nextAction: TimelineAction | null;
    } | null;
    readonly formerUrls: ReadonlyArray<{ readonly url: string; readonly until: string }>;
    readonly attempts: ReadonlyArray<{
      readonly number: number;
      readonly at: string;
      readonly ms: number;
      readonly statusCode: number | null;
      readonly errorClass: string | null;
      readonly answer?: string;
      readonly headers: ReadonlyArray<string>;
      readonly timing: {
        readonly reused: boolean;
        readonly dnsMs: number | null;
        readonly connectMs: number | null;
        readonly tlsMs: number | null;
        readonly firstByteMs: number | null;
      } | null;
    }>;
  } | null;
};

export type ConsoleDeliveryChangesSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;

export type ConsoleDeliveryChangesSubscription = {
  readonly webhookDeliveryChanged: {
    readonly cursor: string;
    readonly delivery: {
      readonly id: string;
      readonly event: string;
      readonly endpointId: string | null;
      readonly status: WebhookDeliveryStatus;
      readonly attempt: number;
      readonly nextAttemptAt: string | null;
      readonly createdAt: string;
      readonly finishedAt: string | null;
      readonly lastError: string | null;
      readonly lastStatusCode: number | null;
      readonly url: string;
      readonly subject: { readonly kind: WebhookSubjectKind; readonly id: string } | null;
    } | null;
  };
};

export type ConsoleDeliveryCountsQueryVariables = Exact<{
  event?: string | null | undefined;
  endpointId?: string | null | undefined;
  createdAt?: TimeRangeInput | null | undefined;
}>;

export type ConsoleDeliveryCountsQuery = {
  readonly pending: { readonly totalCount: number };
  readonly deadLettered: { readonly totalCount: number };
  readonly paused: { readonly totalCount: number };
};

export type ConsoleDiscrepanciesQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  where?: DiscrepancyWhereInput | null | undefined;
}>;

export type ConsoleDiscrepanciesQuery = {
  readonly discrepancies: {
    readonly nodes: ReadonlyArray<{
      readonly id: string;
      readonly kind: DiscrepancyKind;
      readonly state: DiscrepancyState;
      readonly owner: string | null;
      readonly provider: string;
      readonly line: number | null;
      readonly reference: string;
      readonly currency: string;
      readonly providerAmount: string | null;
      readonly providerDay: string | null;
      readonly ourAmount: string | null;
      readonly ourDay: string | null;
      readonly version: number;
      readonly createdAt: string;
      readonly log: ReadonlyArray<{
        readonly at: string;
        readonly by: string | null;
        readonly state: DiscrepancyState;
        readonly owner: string | null;
        readonly note: string | null;
      }>;
    }>;
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
      readonly startCursor: string | null;
      readonly endCursor: string | null;
    };
  };
};

export type ConsoleEndpointsQueryVariables = Exact<{ [key: string]: never }>;

export type ConsoleEndpointsQuery = {
  readonly sandbox: { readonly clockAheadSeconds: number } | null;
  readonly me: {
    readonly webhookEventNames: ReadonlyArray<string>;
    readonly webhookEventVersions: ReadonlyArray<number>;
    readonly webhookEndpoints: ReadonlyArray<{
      readonly id: string;
      readonly url: string;
      readonly secretPreview: string | null;
      readonly formerSecretsUntil: ReadonlyArray<string>;
      readonly signatureScheme: WebhookSignatureScheme;
      readonly headerNames: ReadonlyArray<string>;
      readonly events: ReadonlyArray<string> | null;
      readonly eventVersion: number;
      readonly description: string | null;
      readonly createdAt: string;
      readonly publicKeys: ReadonlyArray<{
        readonly id: string;
        readonly publicKey: string;
        readonly until: string | null;
      }>;
      readonly health: {
        readonly successRate: number | null;
        readonly attempts: number;
        readonly p50Ms: number | null;
        readonly p95Ms: number | null;
        readonly lastSuccessAt: string | null;
        readonly breaker: WebhookBreakerState;
        readonly probeAt: string | null;
        readonly pausedAt: string | null;
        readonly pending: number;
        readonly oldestDueAt: string | null;
        readonly lastError: {
          readonly errorClass: string;
          readonly statusCode: number | null;
          readonly at: string;
        } | null;
        readonly hours: ReadonlyArray<{
          readonly from: string;
          readonly delivered: number;
          readonly failed: number;
        }>;
        readonly latency: ReadonlyArray<{ readonly upToMs: number | null; readonly count: number }>;
      };
    }>;
  };
};

export type ConsoleEraseUserMutationVariables = Exact<{
  input: EraseUserInput;
}>;

export type ConsoleEraseUserMutation = {
  readonly eraseUser: {
    readonly user: { readonly id: string; readonly erasedAt: string | null } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleFailRemittanceMutationVariables = Exact<{
  input: FailRemittanceInput;
}>;

export type ConsoleFailRemittanceMutation = {
  readonly failRemittance: {
    readonly remittance: { readonly id: string } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleFailedCallsQueryVariables = Exact<{
  reference: string;
}>;

export type ConsoleFailedCallsQuery = { readonly failedCalls: ReadonlyArray<ConsoleFailedCallFragment> };

export type ConsoleFailedCallFragment = {
  readonly id: string;
  readonly at: string;
  readonly failure: ConsoleCallFailureFragment;
};

export type ConsoleCallFailureFragment = {
  readonly code: string;
  readonly message: string | null;
  readonly nextAction: TimelineAction | null;
};

export type ConsoleKeysQueryVariables = Exact<{
  includeEnded: boolean;
}>;

export type ConsoleKeysQuery = {
  readonly apiKeys: ReadonlyArray<{
    readonly id: string;
    readonly prefix: string;
    readonly environment: PartnerEnvironment;
    readonly scopes: ReadonlyArray<string>;
    readonly label: string;
    readonly createdAt: string;
    readonly lastUsedAt: string | null;
    readonly endsAt: string | null;
    readonly revokedAt: string | null;
  }>;
};

export type ConsoleLinkQueryVariables = Exact<{
  id: string;
}>;

export type ConsoleLinkQuery = {
  readonly link: {
    readonly id: string;
    readonly referenceId: string;
    readonly flow: LinkFlow;
    readonly status: LinkStatus;
    readonly expiresAt: string;
    readonly createdAt: string;
    readonly openedAt: string | null;
    readonly revokedAt: string | null;
    readonly readiness: { readonly ready: boolean; readonly missing: ReadonlyArray<string> };
    readonly user: {
      readonly id: string;
      readonly firstName: string | null;
      readonly lastName: string | null;
    } | null;
    readonly operation: {
      readonly id: string;
      readonly code: string;
      readonly status: OperationStatus;
    } | null;
    readonly activities: {
      readonly nodes: ReadonlyArray<{
        readonly id: string;
        readonly type: LinkActivityType;
        readonly actor: LinkActivityActor;
        readonly status: LinkActivityStatus;
        readonly occurredAt: string;
        readonly error: string | null;
        readonly durationMs: number | null;
      }>;
    };
  } | null;
};

export type ConsoleLinksQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  where?: LinkWhereInput | null | undefined;
}>;

export type ConsoleLinksQuery = {
  readonly links: {
    readonly nodes: ReadonlyArray<{
      readonly id: string;
      readonly referenceId: string;
      readonly flow: LinkFlow;
      readonly status: LinkStatus;
      readonly createdAt: string;
      readonly expiresAt: string;
      readonly openedAt: string | null;
      readonly revokedAt: string | null;
    }>;
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
      readonly startCursor: string | null;
      readonly endCursor: string | null;
    };
  };
};

export type ConsoleMoneyRequestQueryVariables = Exact<{
  referenceId: string;
}>;

export type ConsoleMoneyRequestQuery = {
  readonly requestMoney: {
    readonly nodeId: string;
    readonly referenceId: string;
    readonly requestId: string;
    readonly userReferenceId: string;
    readonly status: RequestMoneyStatus;
    readonly statusDetails: string;
    readonly landingLink: string;
    readonly fundRequestLink: string;
    readonly createdAt: string;
    readonly updatedAt: string;
    readonly expiresAt: string;
    readonly amount: { readonly amount: string; readonly currency: string };
    readonly resolved: {
      readonly sourceCountry: string;
      readonly sourceCurrency: string;
      readonly destinationCountry: string;
      readonly destinationCurrency: string;
      readonly payoutType: PayoutMethod;
      readonly payerCode: string | null;
    };
    readonly user: {
      readonly id: string;
      readonly firstName: string | null;
      readonly lastName: string | null;
    } | null;
    readonly operation: {
      readonly id: string;
      readonly code: string;
      readonly status: OperationStatus;
      readonly contact: { readonly firstName: string | null; readonly lastName: string | null } | null;
    } | null;
  } | null;
};

export type ConsoleMoneyRequestChangesSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;

export type ConsoleMoneyRequestChangesSubscription = {
  readonly requestMoneyStatusChanged: {
    readonly cursor: string;
    readonly requestMoney: {
      readonly referenceId: string;
      readonly status: RequestMoneyStatus;
      readonly statusDetails: string;
      readonly failureCause: FailureCause | null;
      readonly userReferenceId: string;
      readonly createdAt: string;
      readonly updatedAt: string;
      readonly expiresAt: string;
      readonly amount: { readonly amount: string; readonly currency: string };
      readonly user: {
        readonly id: string;
        readonly firstName: string | null;
        readonly lastName: string | null;
      } | null;
      readonly resolved: { readonly sourceCountry: string; readonly destinationCountry: string };
    } | null;
  };
};

export type ConsoleMoneyRequestCountsQueryVariables = Exact<{
  where?: RequestMoneyWhereInput | null | undefined;
}>;

export type ConsoleMoneyRequestCountsQuery = {
  readonly requestMoneyTotals: ReadonlyArray<{
    readonly status: RequestMoneyStatus | null;
    readonly count: number;
  }>;
};

export type ConsoleMoneyRequestsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  where?: RequestMoneyWhereInput | null | undefined;
}>;

export type ConsoleMoneyRequestsQuery = {
  readonly latestEventCursor: string;
  readonly requestMonies: {
    readonly nodes: ReadonlyArray<{
      readonly referenceId: string;
      readonly status: RequestMoneyStatus;
      readonly statusDetails: string;
      readonly failureCause: FailureCause | null;
      readonly userReferenceId: string;
      readonly createdAt: string;
      readonly updatedAt: string;
      readonly expiresAt: string;
      readonly amount: { readonly amount: string; readonly currency: string };
      readonly user: {
        readonly id: string;
        readonly firstName: string | null;
        readonly lastName: string | null;
      } | null;
      readonly resolved: { readonly sourceCountry: string; readonly destinationCountry: string };
    }>;
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
      readonly startCursor: string | null;
      readonly endCursor: string | null;
    };
  };
};

export type ConsoleOpenApprovalsQueryVariables = Exact<{ [key: string]: never }>;

export type ConsoleOpenApprovalsQuery = {
  readonly me: { readonly fourEyes: ReadonlyArray<FourEyesAct> };
  readonly approvals: ReadonlyArray<{ readonly id: string }>;
};

export type ConsoleOperationQueryVariables = Exact<{
  id: string;
}>;

export type ConsoleOperationQuery = {
  readonly operation: {
    readonly nodeId: string;
    readonly id: string;
    readonly code: string;
    readonly platId: string;
    readonly status: OperationStatus;
    readonly statusDetails: string;
    readonly isIgnored: boolean;
    readonly exchangeRate: string | null;
    readonly reason: string | null;
    readonly failureReason: string | null;
    readonly recipientReferenceId: string | null;
    readonly createdAt: string;
    readonly updatedAt: string;
    readonly completedAt: string | null;
    readonly failedAt: string | null;
    readonly amount: { readonly amount: string; readonly currency: string } | null;
    readonly sender: { readonly amount: string; readonly currency: string } | null;
    readonly recipient: { readonly amount: string; readonly currency: string };
    readonly tenantFee: { readonly amount: string; readonly currency: string } | null;
    readonly user: {
      readonly id: string;
      readonly firstName: string | null;
      readonly lastName: string | null;
      readonly referenceId: string | null;
    } | null;
    readonly contact: { readonly firstName: string | null; readonly lastName: string | null } | null;
    readonly destinationPaymentMethod: {
      readonly type: PaymentMethodType;
      readonly country: string;
      readonly currency: string;
    } | null;
    readonly requestMoney: { readonly referenceId: string; readonly status: RequestMoneyStatus } | null;
    readonly link: { readonly id: string } | null;
    readonly remittance: {
      readonly correlationId: string;
      readonly status: RemittanceStatus;
      readonly phase: RemittancePhase;
      readonly attempts: number;
      readonly isStuck: boolean;
      readonly nextAttemptAt: string | null;
      readonly lastError: {
        readonly code: string;
        readonly message: string;
        readonly occurredAt: string;
      } | null;
    } | null;
  } | null;
};

export type ConsoleOperationChangesSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;

export type ConsoleOperationChangesSubscription = {
  readonly operationStatusChanged: {
    readonly cursor: string;
    readonly operation: {
      readonly id: string;
      readonly code: string;
      readonly status: OperationStatus;
      readonly statusDetails: string;
      readonly failureCause: FailureCause | null;
      readonly sourceCountry: string;
      readonly destinationCountry: string;
      readonly recipientReferenceId: string | null;
      readonly createdAt: string;
      readonly updatedAt: string;
      readonly recipient: { readonly amount: string; readonly currency: string };
      readonly user: {
        readonly id: string;
        readonly firstName: string | null;
        readonly lastName: string | null;
      } | null;
    } | null;
  };
};

export type ConsoleOperationCountsQueryVariables = Exact<{
  where?: OperationWhereInput | null | undefined;
}>;

export type ConsoleOperationCountsQuery = {
  readonly operationTotals: ReadonlyArray<{
    readonly status: OperationStatus | null;
    readonly count: number;
  }>;
};

export type ConsoleOperationsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  where?: OperationWhereInput | null | undefined;
}>;

export type ConsoleOperationsQuery = {
  readonly latestEventCursor: string;
  readonly operations: {
    readonly nodes: ReadonlyArray<{
      readonly id: string;
      readonly code: string;
      readonly status: OperationStatus;
      readonly statusDetails: string;
      readonly failureCause: FailureCause | null;
      readonly sourceCountry: string;
      readonly destinationCountry: string;
      readonly recipientReferenceId: string | null;
      readonly createdAt: string;
      readonly updatedAt: string;
      readonly recipient: { readonly amount: string; readonly currency: string };
      readonly user: {
        readonly id: string;
        readonly firstName: string | null;
        readonly lastName: string | null;
      } | null;
    }>;
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
      readonly startCursor: string | null;
      readonly endCursor: string | null;
    };
  };
};

export type ConsoleOperatorLogQueryVariables = Exact<{
  where?: OperatorLogWhereInput | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;

export type ConsoleOperatorLogQuery = {
  readonly platform: {
    readonly operatorLog: {
      readonly nodes: ReadonlyArray<{
        readonly id: string;
        readonly createdAt: string;
        readonly source: OperatorLogSource;
        readonly actor: string;
        readonly sessionId: string | null;
        readonly host: string | null;
        readonly act: string;
        readonly tenantId: string | null;
        readonly environment: PartnerEnvironment | null;
        readonly subject: string | null;
        readonly reason: string | null;
        readonly before: Readonly<Record<string, unknown>> | null;
        readonly after: Readonly<Record<string, unknown>> | null;
      }>;
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
};

export type ConsoleOverviewQueryVariables = Exact<{ [key: string]: never }>;

export type ConsoleOverviewQuery = {
  readonly stuck: {
    readonly totalCount: number;
    readonly nodes: ReadonlyArray<{
      readonly correlationId: string;
      readonly phase: RemittancePhase;
      readonly attempts: number;
      readonly nextAttemptAt: string | null;
      readonly createdAt: string;
      readonly lastError: { readonly code: string; readonly message: string } | null;
    }>;
  };
  readonly deadLetters: { readonly totalCount: number };
  readonly me: {
    readonly webhookEndpoints: ReadonlyArray<{
      readonly id: string;
      readonly url: string;
      readonly health: {
        readonly successRate: number | null;
        readonly attempts: number;
        readonly p95Ms: number | null;
        readonly breaker: WebhookBreakerState;
        readonly pausedAt: string | null;
        readonly pending: number;
        readonly oldestDueAt: string | null;
      };
    }>;
  };
};

export type ConsoleOverviewFiguresQueryVariables = Exact<{
  of: FigureSubject;
  by: FigurePeriod;
  timeZone?: string | null | undefined;
  from: string;
  to: string;
  beforeFrom: string;
  beforeTo: string;
  todayFrom: string;
  todayTo: string;
  weekFrom: string;
  weekTo: string;
}>;

export type ConsoleOverviewFiguresQuery = {
  readonly now: {
    readonly total: {
      readonly created: number;
      readonly completed: number;
      readonly failed: number;
      readonly cancelled: number;
      readonly successRate: number | null;
      readonly medianMs: number | null;
      readonly statuses: ReadonlyArray<{ readonly status: string; readonly count: number }>;
      readonly volume: ReadonlyArray<{
        readonly currency: string;
        readonly created: { readonly amount: string };
        readonly completed: { readonly amount: string };
      }>;
      readonly corridors: ReadonlyArray<{
        readonly sourceCountry: string;
        readonly destinationCountry: string;
        readonly created: number;
        readonly completed: number;
        readonly failed: number;
      }>;
      readonly causes: ReadonlyArray<{ readonly cause: FailureCause; readonly count: number }>;
    };
    readonly series: ReadonlyArray<{
      readonly from: string;
      readonly to: string;
      readonly created: number;
      readonly completed: number;
      readonly failed: number;
      readonly cancelled: number;
      readonly successRate: number | null;
      readonly medianMs: number | null;
      readonly volume: ReadonlyArray<{
        readonly currency: string;
        readonly completed: { readonly amount: string };
      }>;
    }>;
  };
  readonly before: {
    readonly total: {
      readonly created: number;
      readonly completed: number;
      readonly failed: number;
      readonly cancelled: number;
      readonly successRate: number | null;
      readonly medianMs: number | null;
      readonly volume: ReadonlyArray<{
        readonly currency: string;
        readonly completed: { readonly amount: string };
      }>;
    };
    readonly series: ReadonlyArray<{
      readonly created: number;
      readonly successRate: number | null;
      readonly medianMs: number | null;
    }>;
  };
  readonly today: {
    readonly total: { readonly completed: number; readonly failed: number; readonly cancelled: number };
  };
  readonly lastWeek: {
    readonly total: { readonly completed: number; readonly failed: number; readonly cancelled: number };
  };
  readonly webhooks: {
    readonly total: {
      readonly created: number;
      readonly successRate: number | null;
      readonly medianMs: number | null;
    };
    readonly series: ReadonlyArray<{
      readonly from: string;
      readonly to: string;
      readonly created: number;
      readonly completed: number;
      readonly failed: number;
      readonly successRate: number | null;
      readonly medianMs: number | null;
    }>;
  };
  readonly webhooksBefore: {
    readonly total: { readonly successRate: number | null; readonly medianMs: number | null };
  };
};

export type ConsolePauseEndpointMutationVariables = Exact<{
  input: WebhookEndpointInput;
}>;

export type ConsolePauseEndpointMutation = {
  readonly pauseWebhookEndpoint: {
    readonly webhookEndpoint: { readonly id: string } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsolePlatformEventsQueryVariables = Exact<{ [key: string]: never }>;

export type ConsolePlatformEventsQuery = {
  readonly platform: {
    readonly events: {
      readonly numbered: string;
      readonly lastNumberedAt: string | null;
      readonly unnumbered: number;
      readonly oldestUnnumberedAt: string | null;
      readonly lagMs: number;
      readonly partitions: number;
      readonly partitionsWithoutProcess: number;
    };
  };
};

export type ConsolePlatformLeasesQueryVariables = Exact<{ [key: string]: never }>;

export type ConsolePlatformLeasesQuery = {
  readonly platform: {
    readonly leases: ReadonlyArray<{
      readonly name: string;
      readonly term: number;
      readonly state: PlatformLeaseState;
      readonly until: string | null;
    }>;
  };
};

export type ConsolePlatformProcessesQueryVariables = Exact<{ [key: string]: never }>;

export type ConsolePlatformProcessesQuery = {
  readonly platform: {
    readonly processes: ReadonlyArray<{
      readonly id: string;
      readonly role: string;
      readonly version: string;
      readonly host: string;
      readonly pid: number;
      readonly startedAt: string;
      readonly seenAt: string;
      readonly isSilent: boolean;
    }>;
  };
};

export type ConsolePlatformQueuesQueryVariables = Exact<{ [key: string]: never }>;

export type ConsolePlatformQueuesQuery = {
  readonly platform: {
    readonly queues: ReadonlyArray<{
      readonly name: string;
      readonly waiting: number;
      readonly due: number | null;
      readonly leased: number | null;
      readonly later: number | null;
      readonly stuck: number | null;
      readonly oldestSeconds: number;
      readonly overdueSeconds: number | null;
    }>;
    readonly samples: ReadonlyArray<{
      readonly at: string;
      readonly lagMs: number;
      readonly unnumbered: number;
      readonly queues: ReadonlyArray<{ readonly name: string; readonly waiting: number }>;
    }>;
    readonly jobs: ReadonlyArray<{
      readonly name: string;
      readonly everySeconds: number | null;
      readonly lastRunAt: string | null;
      readonly nextRunAt: string | null;
      readonly overdueSeconds: number;
    }>;
  };
};

export type ConsolePlatformRemittancesQueryVariables = Exact<{
  list: PlatformRemittanceList;
  tenantId?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;

export type ConsolePlatformRemittancesQuery = {
  readonly platform: {
    readonly remittances: {
      readonly nodes: ReadonlyArray<{
        readonly id: string;
        readonly tenantId: string;
        readonly environment: PartnerEnvironment;
        readonly correlationId: string;
        readonly phase: string;
        readonly phaseSince: string;
        readonly attempts: number;
        readonly nextAttemptAt: string | null;
        readonly lastErrorCode: string | null;
        readonly lastErrorMessage: string | null;
        readonly payerMayHaveBeenAsked: boolean;
        readonly withdrawalStatus: string | null;
        readonly createdAt: string;
        readonly whyNotRetry: string | null;
        readonly whyNotFail: string | null;
      }>;
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
};

export type ConsolePlatformSettingsQueryVariables = Exact<{ [key: string]: never }>;

export type ConsolePlatformSettingsQuery = {
  readonly platform: {
    readonly processes: ReadonlyArray<{
      readonly id: string;
      readonly role: string;
      readonly host: string;
      readonly pid: number;
      readonly settings: ReadonlyArray<{
        readonly name: string;
        readonly value: string | null;
        readonly source: PlatformSettingSource;
        readonly isSecret: boolean;
      }>;
    }>;
  };
};

export type ConsolePlatformTenantsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  search?: string | null | undefined;
}>;

export type ConsolePlatformTenantsQuery = {
  readonly platform: {
    readonly tenants: {
      readonly nodes: ReadonlyArray<{
        readonly id: string;
        readonly name: string;
        readonly country: string | null;
        readonly createdAt: string;
        readonly openOperations: number | null;
        readonly openMoneyRequests: number | null;
        readonly keys: {
          readonly live: number;
          readonly sandbox: number;
          readonly lastUsedAt: string | null;
        };
        readonly endpoints: {
          readonly total: number;
          readonly paused: number;
          readonly breakerOpen: number;
          readonly breakerHalfOpen: number;
        };
        readonly webhooks: {
          readonly pending: number;
          readonly oldestPendingAt: string | null;
          readonly deadLettered: number;
        } | null;
        readonly remittances: {
          readonly inProgress: number;
          readonly stuck: number;
          readonly stuckSince: string | null;
        } | null;
      }>;
      readonly pageInfo: {
        readonly hasNextPage: boolean;
        readonly hasPreviousPage: boolean;
        readonly startCursor: string | null;
        readonly endCursor: string | null;
      };
    };
  };
};

export type ConsoleRejectApprovalMutationVariables = Exact<{
  input: ApprovalInput;
}>;

export type ConsoleRejectApprovalMutation = {
  readonly rejectApproval: {
    readonly approval: { readonly id: string; readonly status: ApprovalStatus } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleRemittanceQueryVariables = Exact<{
  correlationId: string;
}>;

export type ConsoleRemittanceQuery = {
  readonly remittance: {
    readonly nodeId: string;
    readonly correlationId: string;
    readonly status: RemittanceStatus;
    readonly phase: RemittancePhase;
    readonly exchangeRate: string;
    readonly attempts: number;
    readonly isStuck: boolean;
    readonly payerMayHaveBeenAsked: boolean;
    readonly nextAttemptAt: string | null;
    readonly createdAt: string;
    readonly updatedAt: string;
    readonly amount: { readonly amount: string; readonly currency: string };
    readonly recipient: { readonly amount: string; readonly currency: string };
    readonly tenantFee: { readonly amount: string; readonly currency: string };
    readonly withdrawal: { readonly status: WithdrawalStatus; readonly attempts: number } | null;
    readonly lastError: {
      readonly code: string;
      readonly message: string;
      readonly occurredAt: string;
    } | null;
    readonly user: {
      readonly id: string;
      readonly firstName: string | null;
      readonly lastName: string | null;
      readonly referenceId: string | null;
    };
    readonly operation: {
      readonly id: string;
      readonly code: string;
      readonly status: OperationStatus;
      readonly contact: { readonly firstName: string | null; readonly lastName: string | null } | null;
      readonly destinationPaymentMethod: {
        readonly type: PaymentMethodType;
        readonly country: string;
        readonly currency: string;
      } | null;
    } | null;
  } | null;
};

export type ConsoleRemittanceChangesSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;

export type ConsoleRemittanceChangesSubscription = {
  readonly remittanceChanged: {
    readonly cursor: string;
    readonly remittance: {
      readonly correlationId: string;
      readonly status: RemittanceStatus;
      readonly phase: RemittancePhase;
      readonly attempts: number;
      readonly isStuck: boolean;
      readonly nextAttemptAt: string | null;
      readonly createdAt: string;
      readonly updatedAt: string;
      readonly recipient: { readonly amount: string; readonly currency: string };
      readonly lastError: { readonly code: string; readonly message: string } | null;
      readonly user: {
        readonly id: string;
        readonly firstName: string | null;
        readonly lastName: string | null;
      };
      readonly operation: { readonly status: OperationStatus } | null;
    } | null;
  };
};

export type ConsoleRemittanceCountsQueryVariables = Exact<{
  isStuck?: boolean | null | undefined;
  createdAt?: TimeRangeInput | null | undefined;
}>;

export type ConsoleRemittanceCountsQuery = {
  readonly inProgress: { readonly totalCount: number };
  readonly failed: { readonly totalCount: number };
};

export type ConsoleRemittancesQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  where?: RemittanceWhereInput | null | undefined;
}>;

export type ConsoleRemittancesQuery = {
  readonly latestEventCursor: string;
  readonly remittances: {
    readonly nodes: ReadonlyArray<{
      readonly correlationId: string;
      readonly status: RemittanceStatus;
      readonly phase: RemittancePhase;
      readonly attempts: number;
      readonly isStuck: boolean;
      readonly nextAttemptAt: string | null;
      readonly createdAt: string;
      readonly updatedAt: string;
      readonly recipient: { readonly amount: string; readonly currency: string };
      readonly lastError: { readonly code: string; readonly message: string } | null;
      readonly user: {
        readonly id: string;
        readonly firstName: string | null;
        readonly lastName: string | null;
      };
      readonly operation: { readonly status: OperationStatus } | null;
    }>;
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
      readonly startCursor: string | null;
      readonly endCursor: string | null;
    };
  };
};

export type ConsoleReplayDeliveriesMutationVariables = Exact<{
  input: ReplayWebhookDeliveriesInput;
}>;

export type ConsoleReplayDeliveriesMutation = {
  readonly replayWebhookDeliveries: {
    readonly found: number | null;
    readonly webhookReplay: { readonly id: string } | null;
    readonly pendingApproval: { readonly id: string; readonly expiresAt: string } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleReplayDeliveryMutationVariables = Exact<{
  input: ReplayWebhookDeliveryInput;
}>;

export type ConsoleReplayDeliveryMutation = {
  readonly replayWebhookDelivery: {
    readonly webhookDelivery: { readonly id: string; readonly status: WebhookDeliveryStatus } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleReplaysQueryVariables = Exact<{ [key: string]: never }>;

export type ConsoleReplaysQuery = {
  readonly webhookReplays: ReadonlyArray<{
    readonly id: string;
    readonly state: WebhookReplayState;
    readonly found: number;
    readonly replayed: number;
    readonly skipped: number;
    readonly limit: number;
    readonly createdAt: string;
    readonly finishedAt: string | null;
  }>;
};

export type ConsoleRequestsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  where?: RequestLogWhereInput | null | undefined;
}>;

export type ConsoleRequestsQuery = {
  readonly apiKeys: ReadonlyArray<{ readonly id: string; readonly label: string }>;
  readonly requestLog: {
    readonly nodes: ReadonlyArray<{
      readonly id: string;
      readonly at: string;
      readonly requestId: string;
      readonly surface: ApiSurface;
      readonly method: string | null;
      readonly path: string | null;
      readonly operation: string | null;
      readonly isMutation: boolean;
      readonly isReveal: boolean;
      readonly outcome: RequestOutcome;
      readonly status: number | null;
      readonly code: string | null;
      readonly ms: number;
      readonly keyId: string;
      readonly actor: string | null;
      readonly subjects: ReadonlyArray<string>;
    }>;
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
      readonly startCursor: string | null;
      readonly endCursor: string | null;
    };
  };
};

export type ConsoleReservationQueryVariables = Exact<{
  correlationId: string;
}>;

export type ConsoleReservationQuery = {
  readonly reservation: {
    readonly nodeId: string;
    readonly correlationId: string;
    readonly status: ReservationStatus;
    readonly attempts: number;
    readonly payerMayHaveBeenAsked: boolean;
    readonly createdAt: string;
    readonly updatedAt: string;
    readonly withdrawal: { readonly status: WithdrawalStatus; readonly attempts: number } | null;
    readonly recipient: { readonly amount: string; readonly currency: string };
    readonly user: {
      readonly id: string;
      readonly firstName: string | null;
      readonly lastName: string | null;
      readonly referenceId: string | null;
    };
    readonly operation: {
      readonly id: string;
      readonly code: string;
      readonly status: OperationStatus;
      readonly contact: { readonly firstName: string | null; readonly lastName: string | null } | null;
      readonly destinationPaymentMethod: {
        readonly type: PaymentMethodType;
        readonly country: string;
        readonly currency: string;
      } | null;
    } | null;
  } | null;
};

export type ConsoleResetSandboxMutationVariables = Exact<{ [key: string]: never }>;

export type ConsoleResetSandboxMutation = {
  readonly resetSandbox: {
    readonly sandbox: { readonly reset: { readonly state: SandboxResetState } | null } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleResolveDiscrepancyMutationVariables = Exact<{
  input: ResolveDiscrepancyInput;
}>;

export type ConsoleResolveDiscrepancyMutation = {
  readonly resolveDiscrepancy: {
    readonly discrepancy: { readonly id: string; readonly version: number } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleResumeEndpointMutationVariables = Exact<{
  input: WebhookEndpointInput;
}>;

export type ConsoleResumeEndpointMutation = {
  readonly resumeWebhookEndpoint: {
    readonly webhookEndpoint: { readonly id: string } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleRetryRemittanceMutationVariables = Exact<{
  input: RetryRemittanceInput;
}>;

export type ConsoleRetryRemittanceMutation = {
  readonly retryRemittance: {
    readonly remittance: { readonly id: string } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleRevokeKeyMutationVariables = Exact<{
  input: RevokeApiKeyInput;
}>;

export type ConsoleRevokeKeyMutation = {
  readonly revokeApiKey: {
    readonly apiKey: { readonly id: string } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleRevokeLinkMutationVariables = Exact<{
  input: RevokeLinkInput;
}>;

export type ConsoleRevokeLinkMutation = {
  readonly revokeLink: {
    readonly link: { readonly id: string; readonly status: LinkStatus } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleRevokeSessionMutationVariables = Exact<{
  input: RevokeConsoleSessionInput;
}>;

export type ConsoleRevokeSessionMutation = {
  readonly revokeConsoleSession: {
    readonly consoleSession: { readonly id: string } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleRotateKeyMutationVariables = Exact<{
  input: RotateApiKeyInput;
}>;

export type ConsoleRotateKeyMutation = {
  readonly rotateApiKey: {
    readonly key: string | null;
    readonly pendingApproval: { readonly id: string; readonly expiresAt: string } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleRotateSecretMutationVariables = Exact<{
  input?: RotateWebhookSecretInput | null | undefined;
}>;

export type ConsoleRotateSecretMutation = {
  readonly rotateWebhookSecret: {
    readonly webhookSecret: string | null;
    readonly pendingApproval: { readonly id: string; readonly expiresAt: string } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleSandboxQueryVariables = Exact<{ [key: string]: never }>;

export type ConsoleSandboxQuery = {
  readonly sandbox: {
    readonly clockAheadSeconds: number;
    readonly now: string;
    readonly reset: {
      readonly state: SandboxResetState;
      readonly found: number;
      readonly removed: number;
      readonly finishedAt: string | null;
    } | null;
  } | null;
};

export type ConsoleSearchQueryVariables = Exact<{
  text: string;
}>;

export type ConsoleSearchQuery = {
  readonly search: ReadonlyArray<{
    readonly matchedBy: ReadonlyArray<SearchKey>;
    readonly node:
      | { readonly __typename: 'Link'; readonly id: string; readonly linkStatus: LinkStatus }
      | {
          readonly __typename: 'Operation';
          readonly id: string;
          readonly code: string;
          readonly createdAt: string;
          readonly operationStatus: OperationStatus;
          readonly recipient: { readonly amount: string; readonly currency: string };
        }
      | {
          readonly __typename: 'User';
          readonly id: string;
          readonly firstName: string | null;
          readonly lastName: string | null;
          readonly userReferenceId: string | null;
        }
      | {
          readonly __typename: 'WebhookDelivery';
          readonly id: string;
          readonly event: string;
          readonly deliveryStatus: WebhookDeliveryStatus;
          readonly failure: {
            readonly code: string;
            readonly message: string | null;
            readonly nextAction: TimelineAction | null;
          } | null;
        }
      | {
          readonly __typename: 'Reservation';
          readonly correlationId: string;
          readonly createdAt: string;
          readonly reservationStatus: ReservationStatus;
          readonly recipient: { readonly amount: string; readonly currency: string };
        }
      | {
          readonly __typename: 'Contact';
          readonly id: string;
          readonly nodeId: string;
          readonly user: { readonly id: string };
        }
      | {
          readonly __typename: 'PaymentMethod';
          readonly id: string;
          readonly nodeId: string;
          readonly user: { readonly id: string };
        }
      | {
          readonly __typename: 'RequestMoney';
          readonly referenceId: string;
          readonly createdAt: string;
          readonly requestStatus: RequestMoneyStatus;
          readonly amount: { readonly amount: string; readonly currency: string };
        }
      | {
          readonly __typename: 'Remittance';
          readonly correlationId: string;
          readonly createdAt: string;
          readonly remittanceStatus: RemittanceStatus;
          readonly recipient: { readonly amount: string; readonly currency: string };
        };
  }>;
};

export type ConsoleSendDeliveryNowMutationVariables = Exact<{
  input: SendWebhookDeliveryNowInput;
}>;

export type ConsoleSendDeliveryNowMutation = {
  readonly sendWebhookDeliveryNow: {
    readonly webhookDelivery: { readonly id: string; readonly status: WebhookDeliveryStatus } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleSendTestWebhookMutationVariables = Exact<{
  input?: SendTestWebhookInput | null | undefined;
}>;

export type ConsoleSendTestWebhookMutation = {
  readonly sendTestWebhook: {
    readonly webhookDelivery: { readonly id: string } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleSessionsQueryVariables = Exact<{ [key: string]: never }>;

export type ConsoleSessionsQuery = {
  readonly consoleSessions: ReadonlyArray<{
    readonly id: string;
    readonly label: string;
    readonly access: ConsoleAccess;
    readonly apiKeyId: string | null;
    readonly issuer: string | null;
    readonly createdAt: string;
    readonly lastSeenAt: string | null;
    readonly endsAt: string;
    readonly isCurrent: boolean;
  }>;
};

export type ConsoleSimulateCipMutationVariables = Exact<{
  input: SimulateCipInput;
}>;

export type ConsoleSimulateCipMutation = {
  readonly simulateCip: {
    readonly user: { readonly id: string; readonly cipStatus: CipStatus } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleSimulateLinkOpenedMutationVariables = Exact<{
  input: SimulateLinkOpenedInput;
}>;

export type ConsoleSimulateLinkOpenedMutation = {
  readonly simulateLinkOpened: {
    readonly link: { readonly id: string; readonly status: LinkStatus } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleSimulateOperationStatusMutationVariables = Exact<{
  input: SimulateOperationStatusInput;
}>;

export type ConsoleSimulateOperationStatusMutation = {
  readonly simulateOperationStatus: {
    readonly operation: { readonly id: string; readonly status: OperationStatus } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleSimulateRequestMoneyStatusMutationVariables = Exact<{
  input: SimulateRequestMoneyStatusInput;
}>;

export type ConsoleSimulateRequestMoneyStatusMutation = {
  readonly simulateRequestMoneyStatus: {
    readonly requestMoney: { readonly referenceId: string; readonly status: RequestMoneyStatus } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleStatementQueryVariables = Exact<{
  id: string;
}>;

export type ConsoleStatementQuery = {
  readonly me: { readonly name: string; readonly environment: PartnerEnvironment };
  readonly statement: {
    readonly id: string;
    readonly period: StatementPeriod;
    readonly name: string;
    readonly currency: string;
    readonly timeZone: string;
    readonly from: string;
    readonly to: string;
    readonly fees: string;
    readonly fx: string;
    readonly entriesAfter: number;
    readonly lastEntry: number;
    readonly hash: string;
    readonly createdAt: string;
    readonly opening: ReadonlyArray<{ readonly account: LedgerAccount; readonly amount: string }>;
    readonly movements: ReadonlyArray<{
      readonly kind: JournalEntryKind;
      readonly entries: number;
      readonly amounts: ReadonlyArray<{ readonly account: LedgerAccount; readonly amount: string }>;
    }>;
    readonly closing: ReadonlyArray<{ readonly account: LedgerAccount; readonly amount: string }>;
  } | null;
};

export type ConsoleStatementsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  where?: StatementWhereInput | null | undefined;
}>;

export type ConsoleStatementsQuery = {
  readonly statements: {
    readonly nodes: ReadonlyArray<{
      readonly id: string;
      readonly period: StatementPeriod;
      readonly name: string;
      readonly currency: string;
      readonly timeZone: string;
      readonly fees: string;
      readonly fx: string;
      readonly createdAt: string;
    }>;
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
      readonly startCursor: string | null;
      readonly endCursor: string | null;
    };
  };
};

export type ConsoleStopReplayMutationVariables = Exact<{
  input: StopWebhookReplayInput;
}>;

export type ConsoleStopReplayMutation = {
  readonly stopWebhookReplay: {
    readonly webhookReplay: { readonly id: string; readonly state: WebhookReplayState } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleTimelineQueryVariables = Exact<{
  nodeId: string;
  after?: string | null | undefined;
}>;

export type ConsoleTimelineQuery = {
  readonly node:
    | { readonly timeline: ConsoleTimelinePageFragment }
    | { readonly timeline: ConsoleTimelinePageFragment }
    | { readonly timeline: ConsoleTimelinePageFragment }
    | { readonly timeline: ConsoleTimelinePageFragment }
    | Record<PropertyKey, never>
    | null;
};

export type ConsoleTimelinePageFragment = {
  readonly isCut: boolean;
  readonly problems: ReadonlyArray<{
    readonly step: string;
    readonly code: string | null;
    readonly message: string;
    readonly nextAction: TimelineAction;
    readonly at: string;
    readonly nextAttemptAt: string | null;
  }>;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly nodes: ReadonlyArray<
    | {
        readonly __typename: 'TimelineStatusChange';
        readonly subject: TimelineSubject;
        readonly subjectId: string;
        readonly previousStatus: string | null;
        readonly status: string;
        readonly statusDetails: string | null;
        readonly id: string;
        readonly at: string;
      }
    | {
        readonly __typename: 'TimelinePhase';
        readonly correlationId: string;
        readonly phase: string;
        readonly id: string;
        readonly at: string;
      }
    | {
        readonly __typename: 'TimelinePhaseFailure';
        readonly correlationId: string;
        readonly phase: string;
        readonly attempt: number;
        readonly code: string;
        readonly message: string;
        readonly nextAttemptAt: string | null;
        readonly payerMayHaveBeenAsked: boolean;
        readonly id: string;
        readonly at: string;
      }
    | {
        readonly __typename: 'TimelineWebhook';
        readonly deliveryId: string;
        readonly event: string;
        readonly errorClass: string | null;
        readonly id: string;
        readonly at: string;
        readonly webhookStatus: WebhookDeliveryStatus;
      }
    | {
        readonly __typename: 'TimelineWebhookAttempt';
        readonly deliveryId: string;
        readonly number: number;
        readonly ms: number;
        readonly statusCode: number | null;
        readonly errorClass: string | null;
        readonly nextAttemptAt: string | null;
        readonly id: string;
        readonly at: string;
        readonly attemptEvent: string | null;
      }
    | {
        readonly __typename: 'TimelineLinkActivity';
        readonly linkId: string;
        readonly id: string;
        readonly at: string;
        readonly activity: {
          readonly type: LinkActivityType;
          readonly actor: LinkActivityActor;
          readonly error: string | null;
          readonly activityStatus: LinkActivityStatus;
        };
      }
    | {
        readonly __typename: 'TimelineRequest';
        readonly requestId: string;
        readonly surface: ApiSurface;
        readonly method: string | null;
        readonly path: string | null;
        readonly operation: string | null;
        readonly ms: number;
        readonly id: string;
        readonly at: string;
        readonly requestStatus: number | null;
        readonly requestCode: string | null;
      }
  >;
};

export type ConsoleUnblockUserMutationVariables = Exact<{
  input: UnblockUserInput;
}>;

export type ConsoleUnblockUserMutation = {
  readonly unblockUser: {
    readonly user: { readonly id: string; readonly blocked: boolean } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleUpdateEndpointMutationVariables = Exact<{
  input: UpdateWebhookEndpointInput;
}>;

export type ConsoleUpdateEndpointMutation = {
  readonly updateWebhookEndpoint: {
    readonly webhookEndpoint: { readonly id: string } | null;
    readonly pendingApproval: { readonly id: string; readonly expiresAt: string } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleUpdateFirstEndpointMutationVariables = Exact<{
  input: UpdateWebhookConfigInput;
}>;

export type ConsoleUpdateFirstEndpointMutation = {
  readonly updateWebhookConfig: {
    readonly webhookConfig: { readonly webhookUrl: string | null } | null;
    readonly pendingApproval: { readonly id: string; readonly expiresAt: string } | null;
    readonly userErrors: ReadonlyArray<{ readonly code: string; readonly message: string }>;
  };
};

export type ConsoleUserQueryVariables = Exact<{
  id: string;
  found: string;
  isFound: boolean;
}>;

export type ConsoleUserQuery = {
  readonly user: {
    readonly id: string;
    readonly referenceId: string | null;
    readonly firstName: string | null;
    readonly secondName: string | null;
    readonly lastName: string | null;
    readonly secondLastName: string | null;
    readonly country: string | null;
    readonly cipStatus: CipStatus;
    readonly cipProvider: string | null;
    readonly cipVerifiedAt: string | null;
    readonly blocked: boolean;
    readonly blockedAt: string | null;
    readonly blockedReason: string | null;
    readonly erasureRequestedAt: string | null;
    readonly erasedAt: string | null;
    readonly erasureReason: string | null;
    readonly createdAt: string;
    readonly blockedBy: {
      readonly kind: BlockerKind;
      readonly id: string | null;
      readonly name: string | null;
    } | null;
    readonly links: {
      readonly nodes: ReadonlyArray<{
        readonly id: string;
        readonly flow: LinkFlow;
        readonly status: LinkStatus;
        readonly createdAt: string;
      }>;
    };
    readonly contacts: { readonly nodes: ReadonlyArray<ConsoleContactFragment> };
    readonly paymentMethods: { readonly nodes: ReadonlyArray<ConsolePaymentMethodFragment> };
  } | null;
  readonly found?:
    | { readonly __typename: 'Link' }
    | { readonly __typename: 'Operation' }
    | { readonly __typename: 'User' }
    | { readonly __typename: 'WebhookDelivery' }
    | { readonly __typename: 'Reservation' }
    | ({ readonly __typename: 'Contact'; readonly user: { readonly id: string } } & ConsoleContactFragment)
    | ({
        readonly __typename: 'PaymentMethod';
        readonly user: { readonly id: string };
      } & ConsolePaymentMethodFragment)
    | { readonly __typename: 'RequestMoney' }
    | { readonly __typename: 'Remittance' }
    | null;
};

export type ConsoleContactFragment = {
  readonly nodeId: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly requests: number;
  readonly lastRequestedAt: string | null;
  readonly createdAt: string;
  readonly contactCountry: string | null;
};

export type ConsolePaymentMethodFragment = {
  readonly nodeId: string;
  readonly type: PaymentMethodType;
  readonly country: string;
  readonly currency: string;
  readonly isPrimary: boolean;
  readonly createdAt: string;
};

export type ConsoleUserContactQueryVariables = Exact<{
  id: string;
}>;

export type ConsoleUserContactQuery = {
  readonly user: {
    readonly id: string;
    readonly phoneNumber: string | null;
    readonly email: string | null;
    readonly dob: string | null;
  } | null;
};

export type ConsoleUserPaymentsQueryVariables = Exact<{
  id: string;
  language: Language;
  timeZone: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;

export type ConsoleUserPaymentsQuery = {
  readonly user: {
    readonly id: string;
    readonly lastActivityAt: string | null;
    readonly paymentTotals: {
      readonly isWhole: boolean;
      readonly currencies: ReadonlyArray<{
        readonly currency: string;
        readonly count: number;
        readonly completedCount: number;
        readonly amount: { readonly amount: string; readonly currency: string };
        readonly completedAmount: { readonly amount: string; readonly currency: string };
      }>;
    };
    readonly payments: {
      readonly totalCount: number;
      readonly nodes: ReadonlyArray<{
        readonly id: string;
        readonly kind: PaymentKind;
        readonly status: PaymentStatus;
        readonly createdAt: string;
        readonly updatedAt: string;
        readonly amount: { readonly amount: string; readonly currency: string };
        readonly payer: {
          readonly id: string;
          readonly firstName: string | null;
          readonly lastName: string | null;
        } | null;
        readonly record:
          | {
              readonly __typename: 'Operation';
              readonly id: string;
              readonly code: string;
              readonly operationStatus: OperationStatus;
              readonly verdict: { readonly summary: string } | null;
            }
          | {
              readonly __typename: 'RequestMoney';
              readonly referenceId: string;
              readonly requestStatus: RequestMoneyStatus;
              readonly verdict: { readonly summary: string } | null;
            }
          | {
              readonly __typename: 'Remittance';
              readonly correlationId: string;
              readonly remittanceStatus: RemittanceStatus;
              readonly verdict: { readonly summary: string } | null;
            }
          | {
              readonly __typename: 'Reservation';
              readonly correlationId: string;
              readonly reservationStatus: ReservationStatus;
              readonly verdict: { readonly summary: string } | null;
            };
      }>;
      readonly pageInfo: {
        readonly hasNextPage: boolean;
        readonly hasPreviousPage: boolean;
        readonly startCursor: string | null;
        readonly endCursor: string | null;
      };
    };
  } | null;
};

export type ConsoleUsersQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  where?: UserWhereInput | null | undefined;
}>;

export type ConsoleUsersQuery = {
  readonly users: {
    readonly nodes: ReadonlyArray<{
      readonly id: string;
      readonly referenceId: string | null;
      readonly firstName: string | null;
      readonly lastName: string | null;
      readonly country: string | null;
      readonly cipStatus: CipStatus;
      readonly blocked: boolean;
      readonly createdAt: string;
    }>;
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
      readonly startCursor: string | null;
      readonly endCursor: string | null;
    };
  };
};

export type ConsoleVerdictQueryVariables = Exact<{
  nodeId: string;
  language: Language;
  timeZone: string;
}>;

export type ConsoleVerdictQuery = {
  readonly node:
    | { readonly verdict: ConsoleVerdictTextFragment | null }
    | { readonly verdict: ConsoleVerdictTextFragment | null }
    | { readonly verdict: ConsoleVerdictTextFragment | null }
    | { readonly verdict: ConsoleVerdictTextFragment | null }
    | Record<PropertyKey, never>
    | null;
};

export type ConsoleVerdictTextFragment = {
  readonly summary: string;
  readonly cause: VerdictCause;
  readonly actBy: string | null;
};

/** The documents, by file name. */

export const DOCUMENT_NAMES = [
  'advanceSandboxClock',
  'approvals',
  'approve',
  'blockUser',
  'cancelRequestMoney',
  'createEndpoint',
  'createKey',
  'createRequestMoney',
  'deleteEndpoint',
  'deliveries',
  'delivery',
  'deliveryChanges',
  'deliveryCounts',
  'discrepancies',
  'endpoints',
  'eraseUser',
  'failRemittance',
  'failedCalls',
  'keys',
  'link',
  'links',
  'moneyRequest',
  'moneyRequestChanges',
  'moneyRequestCounts',
  'moneyRequests',
  'openApprovals',
  'operation',
  'operationChanges',
  'operationCounts',
  'operations',
  'operatorLog',
  'overview',
  'overviewFigures',
  'pauseEndpoint',
  'platformEvents',
  'platformLeases',
  'platformProcesses',
  'platformQueues',
  'platformRemittances',
  'platformSettings',
  'platformTenants',
  'rejectApproval',
  'remittance',
  'remittanceChanges',
  'remittanceCounts',
  'remittances',
  'replayDeliveries',
  'replayDelivery',
  'replays',
  'requests',
  'reservation',
  'resetSandbox',
  'resolveDiscrepancy',
  'resumeEndpoint',
  'retryRemittance',
  'revokeKey',
  'revokeLink',
  'revokeSession',
  'rotateKey',
  'rotateSecret',
  'sandbox',
  'search',
  'sendDeliveryNow',
  'sendTestWebhook',
  'sessions',
  'simulateCip',
  'simulateLinkOpened',
  'simulateOperationStatus',
  'simulateRequestMoneyStatus',
  'statement',
  'statements',
  'stopReplay',
  'timeline',
  'unblockUser',
  'updateEndpoint',
  'updateFirstEndpoint',
  'user',
  'userContact',
  'userPayments',
  'users',
  'verdict',
] as const;

/** Variables and answer of each document. */

export interface Documents {
  readonly advanceSandboxClock: {
    readonly data: ConsoleAdvanceSandboxClockMutation;
    readonly variables: ConsoleAdvanceSandboxClockMutationVariables;
  };
  readonly approvals: {
    readonly data: ConsoleApprovalsQuery;
    readonly variables: ConsoleApprovalsQueryVariables;
  };
  readonly approve: {
    readonly data: ConsoleApproveMutation;
    readonly variables: ConsoleApproveMutationVariables;
  };
  readonly blockUser: {
    readonly data: ConsoleBlockUserMutation;
    readonly variables: ConsoleBlockUserMutationVariables;
  };
  readonly cancelRequestMoney: {
    readonly data: ConsoleCancelRequestMoneyMutation;
    readonly variables: ConsoleCancelRequestMoneyMutationVariables;
  };
  readonly createEndpoint: {
    readonly data: ConsoleCreateEndpointMutation;
    readonly variables: ConsoleCreateEndpointMutationVariables;
  };
  readonly createKey: {
    readonly data: ConsoleCreateKeyMutation;
    readonly variables: ConsoleCreateKeyMutationVariables;
  };
  readonly createRequestMoney: {
    readonly data: ConsoleCreateRequestMoneyMutation;
    readonly variables: ConsoleCreateRequestMoneyMutationVariables;
  };
  readonly deleteEndpoint: {
    readonly data: ConsoleDeleteEndpointMutation;
    readonly variables: ConsoleDeleteEndpointMutationVariables;
  };
  readonly deliveries: {
    readonly data: ConsoleDeliveriesQuery;
    readonly variables: ConsoleDeliveriesQueryVariables;
  };
  readonly delivery: {
    readonly data: ConsoleDeliveryQuery;
    readonly variables: ConsoleDeliveryQueryVariables;
  };
  readonly deliveryChanges: {
    readonly data: ConsoleDeliveryChangesSubscription;
    readonly variables: ConsoleDeliveryChangesSubscriptionVariables;
  };
  readonly deliveryCounts: {
    readonly data: ConsoleDeliveryCountsQuery;
    readonly variables: ConsoleDeliveryCountsQueryVariables;
  };
  readonly discrepancies: {
    readonly data: ConsoleDiscrepanciesQuery;
    readonly variables: ConsoleDiscrepanciesQueryVariables;
  };
  readonly endpoints: {
    readonly data: ConsoleEndpointsQuery;
    readonly variables: ConsoleEndpointsQueryVariables;
  };
  readonly eraseUser: {
    readonly data: ConsoleEraseUserMutation;
    readonly variables: ConsoleEraseUserMutationVariables;
  };
  readonly failRemittance: {
    readonly data: ConsoleFailRemittanceMutation;
    readonly variables: ConsoleFailRemittanceMutationVariables;
  };
  readonly failedCalls: {
    readonly data: ConsoleFailedCallsQuery;
    readonly variables: ConsoleFailedCallsQueryVariables;
  };
  readonly keys: { readonly data: ConsoleKeysQuery; readonly variables: ConsoleKeysQueryVariables };
  readonly link: { readonly data: ConsoleLinkQuery; readonly variables: ConsoleLinkQueryVariables };
  readonly links: { readonly data: ConsoleLinksQuery; readonly variables: ConsoleLinksQueryVariables };
  readonly moneyRequest: {
    readonly data: ConsoleMoneyRequestQuery;
    readonly variables: ConsoleMoneyRequestQueryVariables;
  };
  readonly moneyRequestChanges: {
    readonly data: ConsoleMoneyRequestChangesSubscription;
    readonly variables: ConsoleMoneyRequestChangesSubscriptionVariables;
  };
  readonly moneyRequestCounts: {
    readonly data: ConsoleMoneyRequestCountsQuery;
    readonly variables: ConsoleMoneyRequestCountsQueryVariables;
  };
  readonly moneyRequests: {
    readonly data: ConsoleMoneyRequestsQuery;
    readonly variables: ConsoleMoneyRequestsQueryVariables;
  };
  readonly openApprovals: {
    readonly data: ConsoleOpenApprovalsQuery;
    readonly variables: ConsoleOpenApprovalsQueryVariables;
  };
  readonly operation: {
    readonly data: ConsoleOperationQuery;
    readonly variables: ConsoleOperationQueryVariables;
  };
  readonly operationChanges: {
    readonly data: ConsoleOperationChangesSubscription;
    readonly variables: ConsoleOperationChangesSubscriptionVariables;
  };
  readonly operationCounts: {
    readonly data: ConsoleOperationCountsQuery;
    readonly variables: ConsoleOperationCountsQueryVariables;
  };
  readonly operations: {
    readonly data: ConsoleOperationsQuery;
    readonly variables: ConsoleOperationsQueryVariables;
  };
  readonly operatorLog: {
    readonly data: ConsoleOperatorLogQuery;
    readonly variables: ConsoleOperatorLogQueryVariables;
  };
  readonly overview: {
    readonly data: ConsoleOverviewQuery;
    readonly variables: ConsoleOverviewQueryVariables;
  };
  readonly overviewFigures: {
    readonly data: ConsoleOverviewFiguresQuery;
    readonly variables: ConsoleOverviewFiguresQueryVariables;
  };
  readonly pauseEndpoint: {
    readonly data: ConsolePauseEndpointMutation;
    readonly variables: ConsolePauseEndpointMutationVariables;
  };
  readonly platformEvents: {
    readonly data: ConsolePlatformEventsQuery;
    readonly variables: ConsolePlatformEventsQueryVariables;
  };
  readonly platformLeases: {
    readonly data: ConsolePlatformLeasesQuery;
    readonly variables: ConsolePlatformLeasesQueryVariables;
  };
  readonly platformProcesses: {
    readonly data: ConsolePlatformProcessesQuery;
    readonly variables: ConsolePlatformProcessesQueryVariables;
  };
  readonly platformQueues: {
    readonly data: ConsolePlatformQueuesQuery;
    readonly variables: ConsolePlatformQueuesQueryVariables;
  };
  readonly platformRemittances: {
    readonly data: ConsolePlatformRemittancesQuery;
    readonly variables: ConsolePlatformRemittancesQueryVariables;
  };
  readonly platformSettings: {
    readonly data: ConsolePlatformSettingsQuery;
    readonly variables: ConsolePlatformSettingsQueryVariables;
  };
  readonly platformTenants: {
    readonly data: ConsolePlatformTenantsQuery;
    readonly variables: ConsolePlatformTenantsQueryVariables;
  };
  readonly rejectApproval: {
    readonly data: ConsoleRejectApprovalMutation;
    readonly variables: ConsoleRejectApprovalMutationVariables;
  };
  readonly remittance: {
    readonly data: ConsoleRemittanceQuery;
    readonly variables: ConsoleRemittanceQueryVariables;
  };
  readonly remittanceChanges: {
    readonly data: ConsoleRemittanceChangesSubscription;
    readonly variables: ConsoleRemittanceChangesSubscriptionVariables;
  };
  readonly remittanceCounts: {
    readonly data: ConsoleRemittanceCountsQuery;
    readonly variables: ConsoleRemittanceCountsQueryVariables;
  };
  readonly remittances: {
    readonly data: ConsoleRemittancesQuery;
    readonly variables: ConsoleRemittancesQueryVariables;
  };
  readonly replayDeliveries: {
    readonly data: ConsoleReplayDeliveriesMutation;
    readonly variables: ConsoleReplayDeliveriesMutationVariables;
  };
  readonly replayDelivery: {
    readonly data: ConsoleReplayDeliveryMutation;
    readonly variables: ConsoleReplayDeliveryMutationVariables;
  };
  readonly replays: { readonly data: ConsoleReplaysQuery; readonly variables: ConsoleReplaysQueryVariables };
  readonly requests: {
    readonly data: ConsoleRequestsQuery;
    readonly variables: ConsoleRequestsQueryVariables;
  };
  readonly reservation: {
    readonly data: ConsoleReservationQuery;
    readonly variables: ConsoleReservationQueryVariables;
  };
  readonly resetSandbox: {
    readonly data: ConsoleResetSandboxMutation;
    readonly variables: ConsoleResetSandboxMutationVariables;
  };
  readonly resolveDiscrepancy: {
    readonly data: ConsoleResolveDiscrepancyMutation;
    readonly variables: ConsoleResolveDiscrepancyMutationVariables;
  };
  readonly resumeEndpoint: {
    readonly data: ConsoleResumeEndpointMutation;
    readonly variables: ConsoleResumeEndpointMutationVariables;
  };
  readonly retryRemittance: {
    readonly data: ConsoleRetryRemittanceMutation;
    readonly variables: ConsoleRetryRemittanceMutationVariables;
  };
  readonly revokeKey: {
    readonly data: ConsoleRevokeKeyMutation;
    readonly variables: ConsoleRevokeKeyMutationVariables;
  };
  readonly revokeLink: {
    readonly data: ConsoleRevokeLinkMutation;
    readonly variables: ConsoleRevokeLinkMutationVariables;
  };
  readonly revokeSession: {
    readonly data: ConsoleRevokeSessionMutation;
    readonly variables: ConsoleRevokeSessionMutationVariables;
  };
  readonly rotateKey: {
    readonly data: ConsoleRotateKeyMutation;
    readonly variables: ConsoleRotateKeyMutationVariables;
  };
  readonly rotateSecret: {
    readonly data: ConsoleRotateSecretMutation;
    readonly variables: ConsoleRotateSecretMutationVariables;
  };
  readonly sandbox: { readonly data: ConsoleSandboxQuery; readonly variables: ConsoleSandboxQueryVariables };
  readonly search: { readonly data: ConsoleSearchQuery; readonly variables: ConsoleSearchQueryVariables };
  readonly sendDeliveryNow: {
    readonly data: ConsoleSendDeliveryNowMutation;
    readonly variables: ConsoleSendDeliveryNowMutationVariables;
  };
  readonly sendTestWebhook: {
    readonly data: ConsoleSendTestWebhookMutation;
    readonly variables: ConsoleSendTestWebhookMutationVariables;
  };
  readonly sessions: {
    readonly data: ConsoleSessionsQuery;
    readonly variables: ConsoleSessionsQueryVariables;
  };
  readonly simulateCip: {
    readonly data: ConsoleSimulateCipMutation;
    readonly variables: ConsoleSimulateCipMutationVariables;
  };
  readonly simulateLinkOpened: {
    readonly data: ConsoleSimulateLinkOpenedMutation;
    readonly variables: ConsoleSimulateLinkOpenedMutationVariables;
  };
  readonly simulateOperationStatus: {
    readonly data: ConsoleSimulateOperationStatusMutation;
    readonly variables: ConsoleSimulateOperationStatusMutationVariables;
  };
  readonly simulateRequestMoneyStatus: {
    readonly data: ConsoleSimulateRequestMoneyStatusMutation;
    readonly variables: ConsoleSimulateRequestMoneyStatusMutationVariables;
  };
  readonly statement: {
    readonly data: ConsoleStatementQuery;
    readonly variables: ConsoleStatementQueryVariables;
  };
  readonly statements: {
    readonly data: ConsoleStatementsQuery;
    readonly variables: ConsoleStatementsQueryVariables;
  };
  readonly stopReplay: {
    readonly data: ConsoleStopReplayMutation;
    readonly variables: ConsoleStopReplayMutationVariables;
  };
  readonly timeline: {
    readonly data: ConsoleTimelineQuery;
    readonly variables: ConsoleTimelineQueryVariables;
  };
  readonly unblockUser: {
    readonly data: ConsoleUnblockUserMutation;
    readonly variables: ConsoleUnblockUserMutationVariables;
  };
  readonly updateEndpoint: {
    readonly data: ConsoleUpdateEndpointMutation;
    readonly variables: ConsoleUpdateEndpointMutationVariables;
  };
  readonly updateFirstEndpoint: {
    readonly data: ConsoleUpdateFirstEndpointMutation;
    readonly variables: ConsoleUpdateFirstEndpointMutationVariables;
  };
  readonly user: { readonly data: ConsoleUserQuery; readonly variables: ConsoleUserQueryVariables };
  readonly userContact: {
    readonly data: ConsoleUserContactQuery;
    readonly variables: ConsoleUserContactQueryVariables;
  };
  readonly userPayments: {
    readonly data: ConsoleUserPaymentsQuery;
    readonly variables: ConsoleUserPaymentsQueryVariables;
  };
  readonly users: { readonly data: ConsoleUsersQuery; readonly variables: ConsoleUsersQueryVariables };
  readonly verdict: { readonly data: ConsoleVerdictQuery; readonly variables: ConsoleVerdictQueryVariables };
}
