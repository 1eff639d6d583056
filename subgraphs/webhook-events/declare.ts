import { stringify } from 'lossless-json';
import { type JsonSchema, object, time } from '../kernel/json/json-schema.ts';
import { type Members, type Shape, shape } from '../kernel/json/shape.ts';
import type { ContractDocument } from './contracts.ts';

/** The data of an event, keys in the order in which they are sent; of an event without an envelope, its whole body. */
export type EventData = Readonly<Record<string, unknown>>;

/** A body that an event had before a version of the catalogue changed it. */
interface EarlierBody {
  /** The version of the catalogue that gave the event this body. */
  readonly version: number;
  /** JSON Schema of the whole body, as `schema/asyncapi.json` of that release has it. */
  readonly schema: JsonSchema;
  /** Makes its data from those of the next body. */
  readonly downgrade: (next: EventData) => EventData;
}

/** The facts about an event, apart from its body. */
interface Facts<Name extends string> {
  readonly name: Name;
  /**
   * The version of the catalogue that gave it its body. Every change of a released body, apart from descriptions and the example, needs a new
   * version of the catalogue. A new event has the oldest supported version: its body is the same in all of them.
   */
  readonly version: number;
  /** Its bodies in earlier versions of the catalogue that are still supported, newest first. Absent: none. */
  readonly earlier?: readonly EarlierBody[];
  /** The document whose envelope, headers and signature it has. */
  readonly document: ContractDocument;
  /** Document and section that require it. */
  readonly source: string;
  /** Name of its schema in OpenAPI and AsyncAPI. */
  readonly schemaName: string;
  /** A line about the fact that it reports; Markdown. */
  readonly summary: string;
  /** When it is sent, in sentences; Markdown. */
  readonly sentWhen: string;
  /**
   * Its receivers. `subscribers`: the endpoints whose events include it. `firstAndSubscribers`: the first endpoint whatever its
   * events are, and the further ones whose events include it. `statusHook`: the partner's `operationStatusHook`. `tested`: the
   * endpoint that a test names. `operational`: the partner's URL for operational events.
   */
  readonly receivers: 'subscribers' | 'firstAndSubscribers' | 'statusHook' | 'tested' | 'operational';
  /** Whether the first endpoint gets it unless its events are chosen (decisions, section 3). */
  readonly isDefault?: true;
}

/** An event that partners receive as a webhook. */
export interface WebhookEvent<Name extends string = string> extends Facts<Name> {
  /** JSON Schema of the whole body. It allows no other members. */
  readonly schema: JsonSchema;
  /** A whole body, as the product makes it. */
  readonly example: EventData;
}

/** An event in the envelope of document 2: `{event, data, timestamp}`. */
interface EnvelopedEvent<Name extends string, Source> extends WebhookEvent<Name> {
  /** Its data, keys in the documented order. */
  readonly data: Shape<Source>;
  /** The event of a record, without its time. */
  of(source: Source): { readonly event: Name; readonly data: EventData };
}

/** An event with a body of its own. */
interface PlainEvent<Name extends string, Source> extends WebhookEvent<Name> {
  /** The whole body, keys in the documented order. */
  readonly body: Shape<Source>;
}

/** The time of examples. */
export const EXAMPLE_TIME = '2026-11-21T08:00:00.000Z';

const TIMESTAMP = { ...time, description: 'Time at which the event was stored; the same for all retries.' };

/**
 * Declares an event in the envelope of documents 2 and 3.
 * @param members its data
 * @param sample a record for the example
 * @param named the schema of `event`; by default its name
 */
export function envelopedEvent<const Name extends string, Source>(
  facts: Facts<Name>,
  members: Members<Source>,
  sample: NoInfer<Source>,
  named: JsonSchema = { const: facts.name },
): EnvelopedEvent<Name, Source> {
  const data = shape(members);
  const of = (source: Source) => ({ event: facts.name, data: data(source) });
  return {
    ...facts,
    data,
    of,
    schema: object({ event: named, data: data.schema, timestamp: TIMESTAMP }),
    // In an example, an amount is a number like any other.
    example: JSON.parse(serializeEnvelope(of(sample), new Date(EXAMPLE_TIME))),
  };
}

/** Declares an event whose body has no envelope. @param sample a record for the example */
export function plainEvent<const Name extends string, Source>(
  facts: Facts<Name>,
  members: Members<Source>,
  sample: NoInfer<Source>,
): PlainEvent<Name, Source> {
  const body = shape(members);
  return { ...facts, body, schema: body.schema, example: body(sample) };
}

/** The bytes of an event in its envelope: compact JSON in which amounts keep their digits (document 2, "Envelope"). */
export function serializeEnvelope(
  { event, data }: { readonly event: string; readonly data: EventData },
  at: Date,
): string {
  const text = stringify({ event, data, timestamp: at.toISOString() });
  if (text === undefined) {
    throw new TypeError('An event envelope is always JSON');
  }
  return text;
}
