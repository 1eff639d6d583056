import { preQuoteSchema } from '../../subgraphs/account/use-cases/pre-quote.ts';
import { type JsonSchema, toJsonSchema } from '../../subgraphs/kernel/json/json-schema.ts';
import { linkJsonSchemas } from '../../subgraphs/links/index.ts';
import { userJsonSchemas } from '../../subgraphs/users/index.ts';
import { object, text } from '../shared/openapi/document.ts';
import { webhookSchemas } from '../shared/openapi/webhooks.ts';
import {
  amountOf,
  blocking,
  foundLink,
  fulfilment,
  listedLink,
  nameOf,
  operationRecord,
  partner,
  quoteRecord,
  readiness,
  ticketRecord,
  timeline,
  userRecord,
  webhookConfiguration,
} from './presenters.ts';

/** The data of answers in the success envelope. The schemas of these answers have names that end in `Answer`. */
const ENVELOPED = {
  Link: foundLink,
  Operation: operationRecord,
  Readiness: readiness,
  Timeline: timeline,
  Ticket: ticketRecord,
  Fulfilment: fulfilment,
  Blocking: blocking,
  Me: partner,
  Quote: quoteRecord,
};

/** The named schemas of document 3's description. */
export function partnerSchemas(): Record<string, JsonSchema> {
  const { CreateLink, CreateCipTicket, FulfilDataRequest } = linkJsonSchemas();
  return {
    CreateLink,
    CreateCipTicket,
    FulfilDataRequest,
    BlockUser: userJsonSchemas().BlockUser,
    PreQuoteLite: toJsonSchema(preQuoteSchema),
    Name: nameOf.schema,
    Amount: amountOf.schema,
    ...enveloped(ENVELOPED),
    Links: page(listedLink),
    Users: page(userRecord),
    Operations: page(operationRecord),
    WebhookConfig: webhookConfiguration.schema,
    NewSecret: object({ webhookSecret: text, message: text }),
    ...webhookSchemas(3),
    Refused: errorEnvelope({ type: 'null' }),
    Faulty: errorEnvelope({ type: ['array', 'null'], items: object({ path: text, message: text }) }),
  };
}

interface Described {
  readonly schema: JsonSchema;
}

function enveloped(shapes: Readonly<Record<string, Described>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(shapes).map(([name, { schema: data }]) => [
      `${name}Answer`,
      object({ success: { const: true }, data }),
    ]),
  );
}

const whole = { type: 'integer' };

function page({ schema: items }: Described): JsonSchema {
  const pagination = object({ page: whole, limit: whole, total: whole, totalPages: whole });
  return object({
    success: { const: true },
    data: object({ items: { type: 'array', items }, pagination }),
  });
}

function errorEnvelope(details: object): JsonSchema {
  return object({ success: { const: false }, error: object({ code: text, message: text, details }) });
}
