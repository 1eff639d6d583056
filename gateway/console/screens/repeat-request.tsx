import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ConfirmedAction } from '../parts/confirmed-action.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { inputOf, type NewRequest, NOTHING_KNOWN, newReference, valuesOf } from '../repeat.ts';
import { words } from '../settings.tsx';
import { useQuery } from '../use-query.tsx';
import { pathOf } from './paths.ts';

/** Asks for the values that the log does not keep, and sends them as a new money request, whose screen opens. */
export function RepeatRequest({ reference }: { readonly reference: string }) {
  const { route } = useLocation();
  const { repeat: say } = words.value.lists;
  const [known, setKnown] = useState<Partial<NewRequest>>({});
  const [entered, setEntered] = useState<Partial<NewRequest>>({});
  // A person may enter a value before the known ones are read.
  const values: NewRequest = { referenceId: '', ...NOTHING_KNOWN, ...known, ...entered };
  return (
    <ConfirmedAction
      document="createRequestMoney"
      // A press after a lost answer repeats the call and creates nothing more.
      variables={{ input: inputOf(values), idempotencyKey: `console-${values.referenceId}` }}
      verb={say.verb}
      title={`${say.verb}: ${reference}`}
      isSmall
      onOpen={() => {
        setKnown({});
        setEntered({ referenceId: newReference() });
      }}
      onDone={({ requestMoney }) => requestMoney && route(pathOf.moneyRequest(requestMoney.referenceId))}
    >
      <p>{say.how}</p>
      <Known reference={reference} onKnown={setKnown} />
      <Fields values={values} onChange={(change) => setEntered((present) => ({ ...present, ...change }))} />
    </ConfirmedAction>
  );
}

interface KnownProps {
  readonly reference: string;
  readonly onKnown: (values: Partial<NewRequest>) => void;
}

/** Reads the values that the money request still has. */
function Known({ reference, onKnown }: KnownProps) {
  const { data, error, reload } = useQuery('moneyRequest', { referenceId: reference });
  const request = data?.requestMoney;
  useEffect(() => {
    if (request) {
      onKnown(valuesOf(request));
    }
  }, [request]);
  if (error) {
    return <Failed error={error} onRetry={reload} />;
  }
  return data ? !request && <p role="status">{words.value.lists.repeat.unknown}</p> : <Loading />;
}

interface FieldsProps {
  readonly values: NewRequest;
  readonly onChange: (change: Partial<NewRequest>) => void;
}

type TextName = Exclude<keyof NewRequest, 'payoutMethod'>;

function Fields({ values, onChange }: FieldsProps) {
  const { fields, lists, values: names } = words.value;
  const { repeat: say } = lists;
  const isCash = values.payoutMethod === 'CASH';
  const texts: readonly (readonly [name: TextName, label: string, most: number])[] = [
    ['referenceId', fields.referenceId, 8],
    ['amount', fields.amount, 20],
    ['currency', fields.currency, 3],
    ['userReferenceId', fields.userReferenceId, 100],
    ['firstName', say.firstName, 100],
    ['lastName', say.lastName, 100],
    ['country', fields.country, 2],
    ['state', say.state, 100],
    ['payout', isCash ? say.provider : say.account, 100],
  ];
  return (
    <>
      <p>
        <label for="repeat-method">{fields.payoutMethod}</label>{' '}
        <select
          id="repeat-method"
          value={values.payoutMethod}
          onChange={({ currentTarget }) =>
            onChange({ payoutMethod: currentTarget.value === 'CASH' ? 'CASH' : 'BANK_ACCOUNT', payout: '' })
          }
        >
          <option value="BANK_ACCOUNT">{names.BANK_ACCOUNT}</option>
          <option value="CASH">{names.CASH}</option>
        </select>
      </p>
      {texts.map(([name, label, most]) => (
        <p key={name}>
          <label for={`repeat-${name}`}>{label}</label>
          <input
            id={`repeat-${name}`}
            required={name !== 'state'}
            maxLength={most}
            autocomplete="off"
            spellcheck={false}
            value={values[name]}
            onInput={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
          />
        </p>
      ))}
    </>
  );
}
