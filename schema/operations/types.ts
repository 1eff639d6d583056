// Made by `npm run schema` from the documents of this folder. Do not edit.

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> =
  | T
  | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
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
export const CipStatus = {
  PENDING: 'PENDING',
  VERIFIED: 'VERIFIED',
  FAILED: 'FAILED',
} as const;

export type CipStatus = (typeof CipStatus)[keyof typeof CipStatus];
export const LinkFlow = {
  CIP: 'CIP',
  TRANSFER: 'TRANSFER',
  REQUEST_MONEY: 'REQUEST_MONEY',
} as const;

export type LinkFlow = (typeof LinkFlow)[keyof typeof LinkFlow];
export const DataRequestStatus = {
  OPEN: 'OPEN',
  FULFILLED: 'FULFILLED',
} as const;

export type DataRequestStatus = (typeof DataRequestStatus)[keyof typeof DataRequestStatus];
export const FailureCause = {
  CARD_DECLINED: 'CARD_DECLINED',
  CARD_EXPIRED: 'CARD_EXPIRED',
  INSUFFICIENT_FUNDS: 'INSUFFICIENT_FUNDS',
  REJECTED: 'REJECTED',
  PAYMENT_FAILED: 'PAYMENT_FAILED',
  PAYOUT_FAILED: 'PAYOUT_FAILED',
} as const;

export type FailureCause = (typeof FailureCause)[keyof typeof FailureCause];
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
export const StatementPeriod = {
  DAY: 'DAY',
  MONTH: 'MONTH',
} as const;

export type StatementPeriod = (typeof StatementPeriod)[keyof typeof StatementPeriod];
export const RemittancePhase = {
  CIP: 'CIP',
  CONTACT: 'CONTACT',
  PAYMENT_METHOD: 'PAYMENT_METHOD',
  REQUEST_MONEY: 'REQUEST_MONEY',
} as const;

export type RemittancePhase = (typeof RemittancePhase)[keyof typeof RemittancePhase];
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

export type TimeRangeInput = {
  readonly gte?: string | null | undefined;
  readonly lt?: string | null | undefined;
};

export type WebhookDeliveryWhereInput = {
  readonly status?: ReadonlyArray<WebhookDeliveryStatus> | null | undefined;
  readonly event?: string | null | undefined;
  readonly endpointId?: string | null | undefined;
  readonly createdAt?: TimeRangeInput | null | undefined;
};

export type AmountRangeInput = {
  readonly gte?: string | null | undefined;
  readonly lte?: string | null | undefined;
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

export type StatementWhereInput = {
  readonly period?: StatementPeriod | null | undefined;
  readonly currency?: string | null | undefined;
  readonly createdAt?: TimeRangeInput | null | undefined;
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

export type UserWhereInput = {
  readonly createdAt?: TimeRangeInput | null | undefined;
  readonly referenceId?: string | null | undefined;
  readonly cipStatus?: ReadonlyArray<CipStatus> | null | undefined;
  readonly blocked?: boolean | null | undefined;
  readonly phoneNumber?: string | null | undefined;
  readonly email?: string | null | undefined;
};

export type AddCardMutationVariables = Exact<{
  userToken: string;
  body: string;
}>;

export type AddCardMutation = {
  readonly addCardFromJson: {
    readonly paymentMethod: {
      readonly type: PaymentMethodType;
      readonly country: string;
      readonly id: string;
      readonly number: string | null;
      readonly currency: string;
      readonly isPrimary: boolean;
    } | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type AddUbnMutationVariables = Exact<{
  userToken: string;
  body: string;
}>;

export type AddUbnMutation = {
  readonly addUbnFromJson: {
    readonly paymentMethod: {
      readonly type: PaymentMethodType;
      readonly country: string;
      readonly id: string;
      readonly number: string | null;
      readonly currency: string;
      readonly isPrimary: boolean;
    } | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type BlockPartnerUserMutationVariables = Exact<{
  userId: string;
  body: string;
}>;

export type BlockPartnerUserMutation = {
  readonly blockUserFromJson: {
    readonly user: {
      readonly id: string;
      readonly blocked: boolean;
      readonly blockedAt: string | null;
      readonly blockedReason: string | null;
    } | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type CancelRequestMoneyMutationVariables = Exact<{
  referenceId: string;
  body: string;
}>;

export type CancelRequestMoneyMutation = {
  readonly cancelRequestMoneyFromJson: {
    readonly requestMoney: FoundMoneyRequestFragment | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type CreateContactMutationVariables = Exact<{
  userToken: string;
  body: string;
}>;

export type CreateContactMutation = {
  readonly createContactFromJson: {
    readonly contact: {
      readonly phoneNumber: string;
      readonly firstName: string | null;
      readonly lastName: string | null;
      readonly country: string | null;
    } | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type CreatePartnerCipTicketMutationVariables = Exact<{
  body: string;
}>;

export type CreatePartnerCipTicketMutation = {
  readonly createCipTicketFromJson: {
    readonly ticket: { readonly id: string; readonly widgetUrl: string; readonly referenceId: string } | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type CreatePartnerLinkMutationVariables = Exact<{
  body: string;
}>;

export type CreatePartnerLinkMutation = {
  readonly createLinkFromJson: {
    readonly link: PartnerLinkFragment | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type CreateQuoteMutationVariables = Exact<{
  body: string;
}>;

export type CreateQuoteMutation = {
  readonly createQuoteFromJson: {
    readonly quote: {
      readonly id: string;
      readonly sourceCountry: string;
      readonly destinationCountry: string;
      readonly rate: string;
      readonly rateAsOf: string | null;
      readonly createdAt: string;
      readonly expiresAt: string;
      readonly recipient: { readonly amount: string; readonly currency: string };
      readonly send: { readonly amount: string; readonly currency: string };
      readonly fee: { readonly amount: string; readonly currency: string };
    } | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type CreateRequestMoneyMutationVariables = Exact<{
  body?: string | null | undefined;
  unread?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
}>;

export type CreateRequestMoneyMutation = {
  readonly createRequestMoneyFromJson: {
    readonly isReplay: boolean;
    readonly requestMoney: CreatedMoneyRequestFragment | null;
    readonly warnings: ReadonlyArray<{ readonly code: string; readonly message: string }>;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type ExportLinksQueryVariables = Exact<{
  where?: LinkWhereInput | null | undefined;
  after?: string | null | undefined;
}>;

export type ExportLinksQuery = {
  readonly links: {
    readonly edges: ReadonlyArray<{
      readonly cursor: string;
      readonly node: {
        readonly id: string;
        readonly flow: LinkFlow;
        readonly status: LinkStatus;
        readonly referenceId: string;
        readonly createdAt: string;
        readonly openedAt: string | null;
        readonly revokedAt: string | null;
        readonly expiresAt: string;
        readonly operation: { readonly id: string } | null;
      };
    }>;
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
};

export type ExportMoneyRequestsQueryVariables = Exact<{
  where?: RequestMoneyWhereInput | null | undefined;
  after?: string | null | undefined;
}>;

export type ExportMoneyRequestsQuery = {
  readonly requestMonies: {
    readonly edges: ReadonlyArray<{
      readonly cursor: string;
      readonly node: {
        readonly referenceId: string;
        readonly requestId: string;
        readonly status: RequestMoneyStatus;
        readonly statusDetails: string;
        readonly userReferenceId: string;
        readonly landingLink: string;
        readonly createdAt: string;
        readonly updatedAt: string;
        readonly expiresAt: string;
        readonly amount: { readonly amount: string; readonly currency: string };
        readonly resolved: {
          readonly sourceCountry: string;
          readonly destinationCountry: string;
          readonly sourceCurrency: string;
          readonly destinationCurrency: string;
          readonly payoutType: PayoutMethod;
          readonly payerCode: string | null;
        };
        readonly user: { readonly id: string } | null;
        readonly operation: { readonly id: string } | null;
      };
    }>;
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
};

export type ExportOperationsQueryVariables = Exact<{
  where?: OperationWhereInput | null | undefined;
  after?: string | null | undefined;
}>;

export type ExportOperationsQuery = {
  readonly operations: {
    readonly edges: ReadonlyArray<{
      readonly cursor: string;
      readonly node: {
        readonly id: string;
        readonly code: string;
        readonly status: OperationStatus;
        readonly statusDetails: string;
        readonly exchangeRate: string | null;
        readonly recipientReferenceId: string | null;
        readonly reason: string | null;
        readonly failureReason: string | null;
        readonly createdAt: string;
        readonly updatedAt: string;
        readonly completedAt: string | null;
        readonly failedAt: string | null;
        readonly recipient: { readonly amount: string; readonly currency: string };
        readonly amount: { readonly amount: string; readonly currency: string } | null;
        readonly tenantFee: { readonly amount: string } | null;
        readonly user: { readonly id: string } | null;
        readonly contact: { readonly id: string } | null;
        readonly requestMoney: { readonly referenceId: string } | null;
      };
    }>;
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
};

export type ExportOperatorLogQueryVariables = Exact<{
  where?: OperatorLogWhereInput | null | undefined;
  after?: string | null | undefined;
}>;

export type ExportOperatorLogQuery = {
  readonly platform: {
    readonly operatorLog: {
      readonly edges: ReadonlyArray<{
        readonly cursor: string;
        readonly node: {
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
        };
      }>;
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
};

export type ExportRemittancesQueryVariables = Exact<{
  where?: RemittanceWhereInput | null | undefined;
  after?: string | null | undefined;
}>;

export type ExportRemittancesQuery = {
  readonly remittances: {
    readonly edges: ReadonlyArray<{
      readonly cursor: string;
      readonly node: {
        readonly correlationId: string;
        readonly status: RemittanceStatus;
        readonly phase: RemittancePhase;
        readonly attempts: number;
        readonly nextAttemptAt: string | null;
        readonly createdAt: string;
        readonly updatedAt: string;
        readonly recipient: { readonly amount: string; readonly currency: string };
        readonly amount: { readonly amount: string; readonly currency: string };
        readonly lastError: { readonly code: string; readonly message: string } | null;
        readonly user: { readonly id: string };
        readonly operation: { readonly id: string } | null;
      };
    }>;
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
};

export type ExportUsersQueryVariables = Exact<{
  where?: UserWhereInput | null | undefined;
  after?: string | null | undefined;
}>;

export type ExportUsersQuery = {
  readonly users: {
    readonly edges: ReadonlyArray<{
      readonly cursor: string;
      readonly node: {
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
        readonly createdAt: string;
      };
    }>;
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
};

export type ExportWebhooksQueryVariables = Exact<{
  where?: WebhookDeliveryWhereInput | null | undefined;
  after?: string | null | undefined;
}>;

export type ExportWebhooksQuery = {
  readonly webhookDeliveries: {
    readonly edges: ReadonlyArray<{
      readonly cursor: string;
      readonly node: {
        readonly id: string;
        readonly event: string;
        readonly status: WebhookDeliveryStatus;
        readonly attempt: number;
        readonly lastStatusCode: number | null;
        readonly lastError: string | null;
        readonly url: string;
        readonly createdAt: string;
        readonly nextAttemptAt: string | null;
        readonly finishedAt: string | null;
      };
    }>;
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
};

export type FrequentContactsQueryVariables = Exact<{
  userToken: string;
  limit: string;
}>;

export type FrequentContactsQuery = {
  readonly frequentContacts: ReadonlyArray<{
    readonly phoneNumber: string;
    readonly firstName: string | null;
    readonly lastName: string | null;
    readonly country: string | null;
  }>;
};

export type FulfilPartnerDataRequestMutationVariables = Exact<{
  dataRequestId: string;
  body: string;
}>;

export type FulfilPartnerDataRequestMutation = {
  readonly fulfilDataRequestFromJson: {
    readonly dataRequest: {
      readonly id: string;
      readonly status: DataRequestStatus;
      readonly linkId: string;
      readonly fulfilledAt: string | null;
    } | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type LatestEventCursorQueryVariables = Exact<{ [key: string]: never }>;

export type LatestEventCursorQuery = { readonly latestEventCursor: string };

export type OpenLinkMutationVariables = Exact<{
  linkId: string;
  body: string;
}>;

export type OpenLinkMutation = {
  readonly openLink: {
    readonly link: {
      readonly id: string;
      readonly status: LinkStatus;
      readonly openedAt: string | null;
    } | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type OperationDetailQueryVariables = Exact<{
  id: string;
}>;

export type OperationDetailQuery = { readonly operation: OperationRecordFragment | null };

export type OperationRecordFragment = {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly code: string;
  readonly status: OperationStatus;
  readonly statusDetails: string;
  readonly cancelable: boolean;
  readonly isIgnored: boolean;
  readonly attributionLink: string | null;
  readonly exchangeRate: string | null;
  readonly reason: string | null;
  readonly correlationId: string;
  readonly user: {
    readonly id: string;
    readonly firstName: string | null;
    readonly lastName: string | null;
    readonly phoneNumber: string | null;
    readonly email: string | null;
    readonly country: string | null;
  } | null;
  readonly contact: {
    readonly phoneNumber: string;
    readonly country: string | null;
    readonly registeredUser: { readonly id: string } | null;
  } | null;
  readonly amount: { readonly amount: string; readonly currency: string } | null;
  readonly sender: { readonly amount: string; readonly currency: string } | null;
  readonly recipient: { readonly amount: string; readonly currency: string };
  readonly tenantFee: { readonly amount: string } | null;
  readonly destinationPaymentMethod: {
    readonly type: PaymentMethodType;
    readonly country: string;
    readonly id: string;
    readonly number: string | null;
    readonly currency: string;
    readonly isPrimary: boolean;
  } | null;
};

export type OperationHistoryQueryVariables = Exact<{
  userToken: string;
  destinationPhone?: string | null | undefined;
}>;

export type OperationHistoryQuery = {
  readonly operationHistory: ReadonlyArray<{ readonly platId: string } & OperationRecordFragment>;
};

export type PartnerLinkQueryVariables = Exact<{
  linkId: string;
}>;

export type PartnerLinkQuery = { readonly link: PartnerLinkFragment | null };

export type PartnerLinkFragment = {
  readonly userData: {
    readonly idType: string | null;
    readonly idNumber: string | null;
    readonly dob: string | null;
    readonly paymentMethod: Readonly<Record<string, unknown>> | null;
    readonly idImageUrl: string | null;
    readonly name: {
      readonly firstName: string;
      readonly secondName: string | null;
      readonly lastName: string;
      readonly secondLastName: string | null;
    } | null;
  };
  readonly user: {
    readonly id: string;
    readonly blocked: boolean;
    readonly cipStatus: CipStatus;
    readonly cipProvider: string | null;
    readonly cipVerifiedAt: string | null;
    readonly cipResult: Readonly<Record<string, unknown>> | null;
  } | null;
  readonly operation: {
    readonly id: string;
    readonly status: OperationStatus;
    readonly exchangeRate: string | null;
    readonly amount: { readonly amount: string; readonly currency: string } | null;
    readonly sender: { readonly amount: string; readonly currency: string } | null;
    readonly recipient: { readonly amount: string; readonly currency: string };
    readonly tenantFee: { readonly amount: string; readonly currency: string } | null;
  } | null;
} & PartnerLinkHeadFragment;

export type PartnerLinkHeadFragment = {
  readonly id: string;
  readonly referenceId: string;
  readonly status: LinkStatus;
  readonly url: string;
  readonly expiresAt: string;
  readonly createdAt: string;
  readonly openedAt: string | null;
  readonly revokedAt: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
};

export type PartnerLinkActivityQueryVariables = Exact<{
  linkId: string;
}>;

export type PartnerLinkActivityQuery = {
  readonly linkActivity: ReadonlyArray<{
    readonly id: string;
    readonly type: LinkActivityType;
    readonly actor: LinkActivityActor;
    readonly occurredAt: string;
    readonly status: LinkActivityStatus;
    readonly data: Readonly<Record<string, unknown>>;
    readonly error: string | null;
    readonly durationMs: number | null;
  }> | null;
  readonly link: { readonly id: string } | null;
};

export type PartnerLinkImageQueryVariables = Exact<{
  linkId: string;
}>;

export type PartnerLinkImageQuery = {
  readonly linkImage: { readonly contentType: string; readonly base64: string } | null;
};

export type PartnerLinkReadinessQueryVariables = Exact<{
  linkId: string;
}>;

export type PartnerLinkReadinessQuery = {
  readonly link: {
    readonly id: string;
    readonly readiness: { readonly ready: boolean; readonly missing: ReadonlyArray<string> };
  } | null;
};

export type PartnerLinksQueryVariables = Exact<{
  page?: string | null | undefined;
  limit?: string | null | undefined;
  createdFrom?: string | null | undefined;
  createdTo?: string | null | undefined;
  visibility?: string | null | undefined;
  status?: string | null | undefined;
  referenceId?: string | null | undefined;
}>;

export type PartnerLinksQuery = {
  readonly linkPage: {
    readonly page: number;
    readonly limit: number;
    readonly total: number;
    readonly totalPages: number;
    readonly items: ReadonlyArray<
      {
        readonly userData: {
          readonly name: {
            readonly firstName: string;
            readonly secondName: string | null;
            readonly lastName: string;
            readonly secondLastName: string | null;
          } | null;
        };
        readonly user: { readonly id: string } | null;
        readonly operation: { readonly id: string } | null;
      } & PartnerLinkHeadFragment
    >;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type PartnerMeQueryVariables = Exact<{ [key: string]: never }>;

export type PartnerMeQuery = {
  readonly me: {
    readonly id: string;
    readonly name: string;
    readonly environment: PartnerEnvironment;
    readonly scopes: ReadonlyArray<string>;
    readonly features: ReadonlyArray<string>;
    readonly flows: ReadonlyArray<string>;
  };
};

export type PartnerOperationQueryVariables = Exact<{
  operationId: string;
}>;

export type PartnerOperationQuery = { readonly operation: PartnerOperationFragment | null };

export type PartnerOperationFragment = {
  readonly id: string;
  readonly platId: string;
  readonly status: OperationStatus;
  readonly recipientReferenceId: string | null;
  readonly exchangeRate: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly completedAt: string | null;
  readonly failedAt: string | null;
  readonly failureReason: string | null;
  readonly user: { readonly id: string; readonly referenceId: string | null } | null;
  readonly link: { readonly id: string; readonly referenceId: string } | null;
  readonly amount: { readonly amount: string; readonly currency: string } | null;
  readonly sender: { readonly amount: string; readonly currency: string } | null;
  readonly recipient: { readonly amount: string; readonly currency: string };
  readonly tenantFee: { readonly amount: string; readonly currency: string } | null;
  readonly destinationPaymentMethod: {
    readonly type: PaymentMethodType;
    readonly country: string;
    readonly currency: string;
    readonly number: string | null;
  } | null;
};

export type PartnerOperationsQueryVariables = Exact<{
  page?: string | null | undefined;
  limit?: string | null | undefined;
  createdFrom?: string | null | undefined;
  createdTo?: string | null | undefined;
  status?: string | null | undefined;
  referenceId?: string | null | undefined;
}>;

export type PartnerOperationsQuery = {
  readonly operationPage: {
    readonly page: number;
    readonly limit: number;
    readonly total: number;
    readonly totalPages: number;
    readonly items: ReadonlyArray<PartnerOperationFragment>;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type PartnerPreQuoteMutationVariables = Exact<{
  body: string;
}>;

export type PartnerPreQuoteMutation = {
  readonly preQuoteLiteFromJson: {
    readonly retryAfter: number | null;
    readonly quote: {
      readonly send: string;
      readonly receive: string;
      readonly rate: string;
      readonly fee: string;
      readonly currency: { readonly source: string; readonly destination: string };
    } | null;
    readonly quotas: ReadonlyArray<{
      readonly name: string;
      readonly limit: number;
      readonly windowSeconds: number;
      readonly remaining: number | null;
      readonly resetSeconds: number | null;
    }>;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type PartnerUsersQueryVariables = Exact<{
  page?: string | null | undefined;
  limit?: string | null | undefined;
  createdFrom?: string | null | undefined;
  createdTo?: string | null | undefined;
  referenceId?: string | null | undefined;
  cipStatus?: string | null | undefined;
  blocked?: string | null | undefined;
}>;

export type PartnerUsersQuery = {
  readonly userPage: {
    readonly page: number;
    readonly limit: number;
    readonly total: number;
    readonly totalPages: number;
    readonly items: ReadonlyArray<{
      readonly id: string;
      readonly referenceId: string | null;
      readonly firstName: string | null;
      readonly secondName: string | null;
      readonly lastName: string | null;
      readonly secondLastName: string | null;
      readonly cipStatus: CipStatus;
      readonly blocked: boolean;
      readonly createdAt: string;
    }>;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type PartnerWebhookConfigQueryVariables = Exact<{ [key: string]: never }>;

export type PartnerWebhookConfigQuery = {
  readonly webhookConfig: {
    readonly webhookUrl: string | null;
    readonly webhookSecretPreview: string | null;
    readonly hasWebhookSecret: boolean;
  };
};

export type RaiseDataRequestMutationVariables = Exact<{
  body: string;
}>;

export type RaiseDataRequestMutation = {
  readonly raiseDataRequestFromJson: {
    readonly dataRequest: { readonly id: string } | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type RegeneratePartnerSecretMutationVariables = Exact<{ [key: string]: never }>;

export type RegeneratePartnerSecretMutation = {
  readonly regenerateWebhookSecret: {
    readonly webhookSecret: string | null;
    readonly message: string | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type RegisterUserMutationVariables = Exact<{
  body: string;
}>;

export type RegisterUserMutation = {
  readonly registerUserFromJson: {
    readonly user: { readonly id: string } | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type RequestMoneyQueryVariables = Exact<{
  referenceId: string;
}>;

export type RequestMoneyQuery = { readonly requestMoney: FoundMoneyRequestFragment | null };

export type FoundMoneyRequestFragment = {
  readonly requestId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expiresAt: string;
  readonly operation: { readonly id: string } | null;
} & CreatedMoneyRequestFragment;

export type CreatedMoneyRequestFragment = {
  readonly referenceId: string;
  readonly status: RequestMoneyStatus;
  readonly statusDetails: string;
  readonly waLink: string;
  readonly landingLink: string;
  readonly fundRequestLink: string;
  readonly resolved: {
    readonly sourceCountry: string;
    readonly destinationCountry: string;
    readonly sourceCurrency: string;
    readonly destinationCurrency: string;
    readonly payoutType: PayoutMethod;
    readonly payerCode: string | null;
    readonly stateCode: string | null;
  };
};

export type RequestMoneyFullMutationVariables = Exact<{
  body: string;
}>;

export type RequestMoneyFullMutation = {
  readonly requestMoneyFullFromJson: {
    readonly remittance: {
      readonly correlationId: string;
      readonly attributionLink: string;
      readonly user: { readonly id: string };
    } | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type RequestMoneyV2MutationVariables = Exact<{
  userToken: string;
  body: string;
}>;

export type RequestMoneyV2Mutation = {
  readonly requestMoneyV2FromJson: {
    readonly operation: {
      readonly attributionLink: string | null;
      readonly createdAt: string;
      readonly status: OperationStatus;
      readonly statusDetails: string;
      readonly code: string;
      readonly correlationId: string;
      readonly exchangeRate: string | null;
      readonly platId: string;
      readonly user: {
        readonly id: string;
        readonly firstName: string | null;
        readonly lastName: string | null;
        readonly phoneNumber: string | null;
        readonly email: string | null;
        readonly country: string | null;
      } | null;
      readonly contact: {
        readonly phoneNumber: string;
        readonly country: string | null;
        readonly firstName: string | null;
        readonly lastName: string | null;
        readonly email: string | null;
        readonly registeredUser: { readonly id: string } | null;
      } | null;
      readonly destinationPaymentMethod: {
        readonly type: PaymentMethodType;
        readonly country: string;
        readonly id: string;
        readonly number: string | null;
        readonly currency: string;
        readonly isPrimary: boolean;
      } | null;
      readonly amount: { readonly amount: string; readonly currency: string } | null;
      readonly sender: { readonly amount: string; readonly currency: string } | null;
      readonly recipient: { readonly amount: string; readonly currency: string };
    } | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type RevokePartnerLinkMutationVariables = Exact<{
  linkId: string;
}>;

export type RevokePartnerLinkMutation = {
  readonly revokeLinkById: {
    readonly link: PartnerLinkFragment | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type SimulateCipMutationVariables = Exact<{
  userId: string;
  body: string;
}>;

export type SimulateCipMutation = {
  readonly simulateCipFromJson: {
    readonly user: { readonly id: string; readonly cipStatus: CipStatus } | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type SimulateDataRequestMutationVariables = Exact<{
  body: string;
}>;

export type SimulateDataRequestMutation = {
  readonly simulateDataRequestFromJson: {
    readonly dataRequest: { readonly id: string } | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type SimulateLinkOpenedMutationVariables = Exact<{
  linkId: string;
}>;

export type SimulateLinkOpenedMutation = {
  readonly simulateLinkOpenedById: {
    readonly link: PartnerLinkFragment | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type SimulateOperationStatusMutationVariables = Exact<{
  operationId: string;
  body: string;
}>;

export type SimulateOperationStatusMutation = {
  readonly simulateOperationStatusFromJson: {
    readonly operation: OperationRecordFragment | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type SimulateRequestMoneyStatusMutationVariables = Exact<{
  referenceId: string;
  body: string;
}>;

export type SimulateRequestMoneyStatusMutation = {
  readonly simulateRequestMoneyStatusFromJson: {
    readonly requestMoney: FoundMoneyRequestFragment | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type StatementQueryVariables = Exact<{
  id: string;
}>;

export type StatementQuery = {
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
    readonly hashBefore: string;
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

export type StatementsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  where?: StatementWhereInput | null | undefined;
}>;

export type StatementsQuery = {
  readonly statements: {
    readonly nodes: ReadonlyArray<{
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
      readonly hashBefore: string;
      readonly hash: string;
      readonly createdAt: string;
      readonly opening: ReadonlyArray<{ readonly account: LedgerAccount; readonly amount: string }>;
      readonly movements: ReadonlyArray<{
        readonly kind: JournalEntryKind;
        readonly entries: number;
        readonly amounts: ReadonlyArray<{ readonly account: LedgerAccount; readonly amount: string }>;
      }>;
      readonly closing: ReadonlyArray<{ readonly account: LedgerAccount; readonly amount: string }>;
    }>;
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
};

export type UnblockPartnerUserMutationVariables = Exact<{
  userId: string;
}>;

export type UnblockPartnerUserMutation = {
  readonly unblockUserById: {
    readonly user: {
      readonly id: string;
      readonly blocked: boolean;
      readonly blockedAt: string | null;
      readonly blockedReason: string | null;
    } | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type UpdateOperationStatusMutationVariables = Exact<{
  operationId: string;
  body: string;
}>;

export type UpdateOperationStatusMutation = {
  readonly updateOperationStatusFromJson: {
    readonly operation: {
      readonly id: string;
      readonly status: OperationStatus;
      readonly statusDetails: string;
      readonly updatedAt: string;
    } | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type UpdateRequestMoneyStatusMutationVariables = Exact<{
  body: string;
}>;

export type UpdateRequestMoneyStatusMutation = {
  readonly updateRequestMoneyStatusFromJson: {
    readonly requestMoney: FoundMoneyRequestFragment | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type UpdateUserCipMutationVariables = Exact<{
  userId: string;
  body: string;
}>;

export type UpdateUserCipMutation = {
  readonly updateCipFromJson: {
    readonly identity: {
      readonly userId: string;
      readonly cipStatus: string;
      readonly cipProvider: string | null;
      readonly cipVerifiedAt: string | null;
      readonly cipResult: Readonly<Record<string, unknown>> | null;
    } | null;
    readonly userErrors: ReadonlyArray<{
      readonly code: string;
      readonly message: string;
      readonly path: ReadonlyArray<string> | null;
    }>;
  };
};

export type UserTokenQueryVariables = Exact<{
  phoneNumber?: string | null | undefined;
  email?: string | null | undefined;
}>;

export type UserTokenQuery = { readonly userToken: { readonly id: string } | null };

/** The documents, by file name. */

export const DOCUMENT_NAMES = [
  'addCard',
  'addUbn',
  'blockPartnerUser',
  'cancelRequestMoney',
  'createContact',
  'createPartnerCipTicket',
  'createPartnerLink',
  'createQuote',
  'createRequestMoney',
  'exportLinks',
  'exportMoneyRequests',
  'exportOperations',
  'exportOperatorLog',
  'exportRemittances',
  'exportUsers',
  'exportWebhooks',
  'frequentContacts',
  'fulfilPartnerDataRequest',
  'latestEventCursor',
  'openLink',
  'operationDetail',
  'operationHistory',
  'partnerLink',
  'partnerLinkActivity',
  'partnerLinkImage',
  'partnerLinkReadiness',
  'partnerLinks',
  'partnerMe',
  'partnerOperation',
  'partnerOperations',
  'partnerPreQuote',
  'partnerUsers',
  'partnerWebhookConfig',
  'raiseDataRequest',
  'regeneratePartnerSecret',
  'registerUser',
  'requestMoney',
  'requestMoneyFull',
  'requestMoneyV2',
  'revokePartnerLink',
  'simulateCip',
  'simulateDataRequest',
  'simulateLinkOpened',
  'simulateOperationStatus',
  'simulateRequestMoneyStatus',
  'statement',
  'statements',
  'unblockPartnerUser',
  'updateOperationStatus',
  'updateRequestMoneyStatus',
  'updateUserCip',
  'userToken',
] as const;

/** Variables and answer of each document. */

export interface Documents {
  readonly addCard: { readonly data: AddCardMutation; readonly variables: AddCardMutationVariables };
  readonly addUbn: { readonly data: AddUbnMutation; readonly variables: AddUbnMutationVariables };
  readonly blockPartnerUser: {
    readonly data: BlockPartnerUserMutation;
    readonly variables: BlockPartnerUserMutationVariables;
  };
  readonly cancelRequestMoney: {
    readonly data: CancelRequestMoneyMutation;
    readonly variables: CancelRequestMoneyMutationVariables;
  };
  readonly createContact: {
    readonly data: CreateContactMutation;
    readonly variables: CreateContactMutationVariables;
  };
  readonly createPartnerCipTicket: {
    readonly data: CreatePartnerCipTicketMutation;
    readonly variables: CreatePartnerCipTicketMutationVariables;
  };
  readonly createPartnerLink: {
    readonly data: CreatePartnerLinkMutation;
    readonly variables: CreatePartnerLinkMutationVariables;
  };
  readonly createQuote: {
    readonly data: CreateQuoteMutation;
    readonly variables: CreateQuoteMutationVariables;
  };
  readonly createRequestMoney: {
    readonly data: CreateRequestMoneyMutation;
    readonly variables: CreateRequestMoneyMutationVariables;
  };
  readonly exportLinks: { readonly data: ExportLinksQuery; readonly variables: ExportLinksQueryVariables };
  readonly exportMoneyRequests: {
    readonly data: ExportMoneyRequestsQuery;
    readonly variables: ExportMoneyRequestsQueryVariables;
  };
  readonly exportOperations: {
    readonly data: ExportOperationsQuery;
    readonly variables: ExportOperationsQueryVariables;
  };
  readonly exportOperatorLog: {
    readonly data: ExportOperatorLogQuery;
    readonly variables: ExportOperatorLogQueryVariables;
  };
  readonly exportRemittances: {
    readonly data: ExportRemittancesQuery;
    readonly variables: ExportRemittancesQueryVariables;
  };
  readonly exportUsers: { readonly data: ExportUsersQuery; readonly variables: ExportUsersQueryVariables };
  readonly exportWebhooks: {
    readonly data: ExportWebhooksQuery;
    readonly variables: ExportWebhooksQueryVariables;
  };
  readonly frequentContacts: {
    readonly data: FrequentContactsQuery;
    readonly variables: FrequentContactsQueryVariables;
  };
  readonly fulfilPartnerDataRequest: {
    readonly data: FulfilPartnerDataRequestMutation;
    readonly variables: FulfilPartnerDataRequestMutationVariables;
  };
  readonly latestEventCursor: {
    readonly data: LatestEventCursorQuery;
    readonly variables: LatestEventCursorQueryVariables;
  };
  readonly openLink: { readonly data: OpenLinkMutation; readonly variables: OpenLinkMutationVariables };
  readonly operationDetail: {
    readonly data: OperationDetailQuery;
    readonly variables: OperationDetailQueryVariables;
  };
  readonly operationHistory: {
    readonly data: OperationHistoryQuery;
    readonly variables: OperationHistoryQueryVariables;
  };
  readonly partnerLink: { readonly data: PartnerLinkQuery; readonly variables: PartnerLinkQueryVariables };
  readonly partnerLinkActivity: {
    readonly data: PartnerLinkActivityQuery;
    readonly variables: PartnerLinkActivityQueryVariables;
  };
  readonly partnerLinkImage: {
    readonly data: PartnerLinkImageQuery;
    readonly variables: PartnerLinkImageQueryVariables;
  };
  readonly partnerLinkReadiness: {
    readonly data: PartnerLinkReadinessQuery;
    readonly variables: PartnerLinkReadinessQueryVariables;
  };
  readonly partnerLinks: { readonly data: PartnerLinksQuery; readonly variables: PartnerLinksQueryVariables };
  readonly partnerMe: { readonly data: PartnerMeQuery; readonly variables: PartnerMeQueryVariables };
  readonly partnerOperation: {
    readonly data: PartnerOperationQuery;
    readonly variables: PartnerOperationQueryVariables;
  };
  readonly partnerOperations: {
    readonly data: PartnerOperationsQuery;
    readonly variables: PartnerOperationsQueryVariables;
  };
  readonly partnerPreQuote: {
    readonly data: PartnerPreQuoteMutation;
    readonly variables: PartnerPreQuoteMutationVariables;
  };
  readonly partnerUsers: { readonly data: PartnerUsersQuery; readonly variables: PartnerUsersQueryVariables };
  readonly partnerWebhookConfig: {
    readonly data: PartnerWebhookConfigQuery;
    readonly variables: PartnerWebhookConfigQueryVariables;
  };
  readonly raiseDataRequest: {
    readonly data: RaiseDataRequestMutation;
    readonly variables: RaiseDataRequestMutationVariables;
  };
  readonly regeneratePartnerSecret: {
    readonly data: RegeneratePartnerSecretMutation;
    readonly variables: RegeneratePartnerSecretMutationVariables;
  };
  readonly registerUser: {
    readonly data: RegisterUserMutation;
    readonly variables: RegisterUserMutationVariables;
  };
  readonly requestMoney: { readonly data: RequestMoneyQuery; readonly variables: RequestMoneyQueryVariables };
  readonly requestMoneyFull: {
    readonly data: RequestMoneyFullMutation;
    readonly variables: RequestMoneyFullMutationVariables;
  };
  readonly requestMoneyV2: {
    readonly data: RequestMoneyV2Mutation;
    readonly variables: RequestMoneyV2MutationVariables;
  };
  readonly revokePartnerLink: {
    readonly data: RevokePartnerLinkMutation;
    readonly variables: RevokePartnerLinkMutationVariables;
  };
  readonly simulateCip: {
    readonly data: SimulateCipMutation;
    readonly variables: SimulateCipMutationVariables;
  };
  readonly simulateDataRequest: {
    readonly data: SimulateDataRequestMutation;
    readonly variables: SimulateDataRequestMutationVariables;
  };
  readonly simulateLinkOpened: {
    readonly data: SimulateLinkOpenedMutation;
    readonly variables: SimulateLinkOpenedMutationVariables;
  };
  readonly simulateOperationStatus: {
    readonly data: SimulateOperationStatusMutation;
    readonly variables: SimulateOperationStatusMutationVariables;
  };
  readonly simulateRequestMoneyStatus: {
    readonly data: SimulateRequestMoneyStatusMutation;
    readonly variables: SimulateRequestMoneyStatusMutationVariables;
  };
  readonly statement: { readonly data: StatementQuery; readonly variables: StatementQueryVariables };
  readonly statements: { readonly data: StatementsQuery; readonly variables: StatementsQueryVariables };
  readonly unblockPartnerUser: {
    readonly data: UnblockPartnerUserMutation;
    readonly variables: UnblockPartnerUserMutationVariables;
  };
  readonly updateOperationStatus: {
    readonly data: UpdateOperationStatusMutation;
    readonly variables: UpdateOperationStatusMutationVariables;
  };
  readonly updateRequestMoneyStatus: {
    readonly data: UpdateRequestMoneyStatusMutation;
    readonly variables: UpdateRequestMoneyStatusMutationVariables;
  };
  readonly updateUserCip: {
    readonly data: UpdateUserCipMutation;
    readonly variables: UpdateUserCipMutationVariables;
  };
  readonly userToken: { readonly data: UserTokenQuery; readonly variables: UserTokenQueryVariables };
}
