/** Makes a money request by GraphQL. */
export const CREATE_MONEY_REQUEST = `mutation ($input: CreateRequestMoneyInput!) {
  createRequestMoney(input: $input) {
    requestMoney { referenceId }
    userErrors { code message }
  }
}`;

/** Makes a widget link for a user. */
export const CREATE_LINK = `mutation ($input: CreateLinkInput!) {
  createLink(input: $input) {
    link { id flow status url }
    userErrors { code message }
  }
}`;

export interface CreatedLink {
  readonly createLink: {
    readonly link: { id: string; flow: string; status: string; url: string } | null;
    readonly userErrors: readonly { code: string; message: string }[];
  };
}

/** One query over all four subgraphs. */
export const FEDERATED_READ = `query ($referenceId: String!) {
  requestMoney(referenceId: $referenceId) {
    referenceId status
    operation { id }
    user {
      firstName lastName cipStatus
      links(first: 1) { totalCount nodes { id flow status } }
      operations(first: 1) { totalCount }
    }
  }
}`;

export interface FederatedRead {
  readonly requestMoney: {
    readonly referenceId: string;
    readonly status: string;
    readonly operation: { id: string } | null;
    readonly user: {
      readonly firstName: string;
      readonly lastName: string;
      readonly cipStatus: string;
      readonly links: { totalCount: number; nodes: readonly { id: string; flow: string; status: string }[] };
      readonly operations: { totalCount: number };
    };
  };
}

/** Follows the statuses of all money requests of the partner. */
export const LIVE_STATUSES = `subscription ($after: String) {
  requestMoneyStatusChanged(after: $after) {
    cursor previousStatus status statusDetails
    requestMoney { referenceId user { firstName lastName } operation { code status } }
  }
}`;

/** An event of {@link LIVE_STATUSES}. */
export interface StatusEvent {
  readonly previousStatus: string | null;
  readonly status: string;
  readonly statusDetails: string | null;
  readonly requestMoney: {
    readonly referenceId: string;
    readonly user: { readonly firstName: string; readonly lastName: string };
    readonly operation: { readonly code: string; readonly status: string } | null;
  };
}

/** Body of a create: Ana requests 1500.5 pesos to her bank account in Mexico City. The same for REST and GraphQL. */
export function moneyRequestInput(referenceId: string) {
  return {
    referenceId,
    amount: 1500.5,
    currency: 'MXN',
    requestData: {
      userReferenceId: userReferenceOf(referenceId),
      name: { firstName: 'Ana', lastName: 'Ruiz' },
      address: { country: 'MX', state: 'CDMX' },
      payoutMethod: 'bank_account',
      bankAccount: { accountNumber: '0321 8000 0118 3597 19' },
    },
  };
}

/** The partner's own id of the requester: a new person for each money request. */
export function userReferenceOf(referenceId: string): string {
  return `ana-${referenceId}`;
}
