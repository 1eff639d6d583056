import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { fieldOf } from '../../subgraphs/kernel/objects.ts';
import { WEBHOOK_EVENTS } from '../../subgraphs/webhook-events/catalogue.ts';

const ajv = new Ajv2020({ allErrors: true, strict: true, validateFormats: false });
/** By the name of the event. */
const validators: ReadonlyMap<unknown, ValidateFunction> = new Map(
  WEBHOOK_EVENTS.map(({ name, schema }) => [name, ajv.compile(schema)]),
);

/**
 * The differences between the body of a webhook and the schema that the catalogue has of its event; a member that the schema
 * does not name is one. A test of an endpoint has the data of a test, whatever its name.
 */
export function issuesOfWebhook(text: string): string[] {
  const body: unknown = JSON.parse(text);
  const named = fieldOf(body, 'event') ?? fieldOf(body, 'eventType');
  const name = fieldOf(fieldOf(body, 'data'), 'test') === true ? 'test' : named;
  const validate = validators.get(name);
  if (validate === undefined) {
    return [`the catalogue has no event ${String(name)}`];
  }
  return validate(body) ? [] : [ajv.errorsText(validate.errors, { dataVar: String(named) })];
}
