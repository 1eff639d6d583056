import { text } from '../kernel/json/json-schema.ts';
import { envelopedEvent } from './declare.ts';
import { USER_DATA_FIELDS, type UserDataField } from './values.ts';

/** The parts of a data request that its event has. */
interface DataRequest {
  readonly dataRequestId: string;
  readonly referenceId: string;
  readonly linkId: string;
  /** At least one, each once. */
  readonly fields: readonly UserDataField[];
}

/** More data of a user is needed. */
export const USER_DATA_REQUEST = envelopedEvent<'user.data_request', DataRequest>(
  {
    name: 'user.data_request',
    version: 1,
    document: 3,
    source: 'document 3, "Events"; decisions, section 4',
    schemaName: 'UserDataRequestEvent',
    summary:
      'The platform needs more data of a user: answer with `PUT /partner/data-requests/{dataRequestId}`',
    sentWhen:
      'Sent when the identity check of a user needs more data. The first endpoint gets it whatever its events are; a further endpoint gets it if its events include it.',
    receivers: 'firstAndSubscribers',
  },
  {
    dataRequestId: [
      { ...text, description: 'The id in the path of your answer.' },
      (request) => request.dataRequestId,
    ],
    referenceId: [{ ...text, description: 'Your id of the user.' }, ({ referenceId }) => referenceId],
    linkId: [{ ...text, description: "The user's link." }, ({ linkId }) => linkId],
    fields: [
      {
        type: 'array',
        items: { ...text, enum: USER_DATA_FIELDS },
        minItems: 1,
        description: 'The members of `userData` to send.',
      },
      ({ fields }) => fields,
    ],
  },
  {
    dataRequestId: 'dr_Vb9xYw2LmNp7RsAcEd3k',
    referenceId: 'ref-1',
    linkId: 'lnk_7RsAcEd3kTqVb9xYw2Lm',
    fields: ['dob'],
  },
);
