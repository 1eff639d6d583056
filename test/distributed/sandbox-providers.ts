import { type Behaviour, type ProviderRequest, type Service, UNAVAILABLE } from '../support/providers.ts';

type Answers = Readonly<Record<string, object | typeof UNAVAILABLE>>;

const refused = (code?: string) => ({ result: 'refused', ...(code && { code }) });

/** Of the screening of document 2, by last name (decisions, section 3, "Screening"). */
const SCREENING: Answers = { OFACHIT: { result: 'hit' }, VALIDATORDOWN: UNAVAILABLE };

/** The sandbox's values, as documents 1 and 2 have them, by last names and numbers. */
const ANSWERS: Readonly<Record<Service, Answers>> = {
  identity: {
    ...SCREENING,
    CIPFAIL: { result: 'hit' },
    CIPNOTFOUND: { result: 'not_found' },
    CIPLEVELONE: { result: 'level_one_required' },
    SUBSCRIBERNOTFOUND: { result: 'subscriber_not_found' },
  },
  cards: { '4000000000000002': refused(), '4000000000000119': UNAVAILABLE },
  ubn: { '000000000000000002': refused(), '000000000000000119': UNAVAILABLE },
  funding: {
    CONTACTNOTFOUND: refused('ERROR_CONTACT_NOT_FOUND'),
    OPERATIONINVALID: refused('ERROR_INVALID_OPERATION'),
    OPERATIONNOTFOUND: refused('ERROR_OPERATION_NOT_FOUND'),
    OPERATIONCOMPLETED: refused('ERROR_OPERATION_ALREADY_COMPLETED'),
    FUNDINGDOWN: UNAVAILABLE,
  },
};

interface Body {
  readonly name?: { readonly lastName: string };
  readonly number?: string;
  readonly payer?: { readonly lastName?: string };
}

/** Providers that answer as the sandbox does, so that the fixtures hold with them, and do each thing once. */
export const AS_THE_SANDBOX: Behaviour = { deduplicates: true, answer };

function answer({ service, key, body }: ProviderRequest): object | typeof UNAVAILABLE {
  if (service === 'funding/cancel') {
    return { result: 'cancelled' };
  }
  const { name, number, payer } = JSON.parse(body) as Body;
  const value = name?.lastName ?? number ?? payer?.lastName ?? '';
  const answers = service === 'identity' && key === '' ? SCREENING : ANSWERS[service];
  return answers[value] ?? { result: service === 'identity' ? 'clear' : 'accepted' };
}
