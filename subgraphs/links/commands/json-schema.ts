import { type JsonSchema, toJsonSchema } from '../../platform/json/json-schema.ts';
import {
  createCipTicketSchema,
  createLinkSchema,
  fulfilSchema,
  raiseSchema,
  updateCipSchema,
} from './link-commands.ts';

const SCHEMAS = {
  CreateLink: createLinkSchema,
  CreateCipTicket: createCipTicketSchema,
  FulfilDataRequest: fulfilSchema,
  RaiseDataRequest: raiseSchema,
  UpdateCip: updateCipSchema,
} as const;

/** What the bodies of document 3's links must be, as JSON Schemas, made of the schemas that check them. */
export function linkJsonSchemas(): Readonly<Record<keyof typeof SCHEMAS, JsonSchema>> {
  const entries = Object.entries(SCHEMAS).map(([name, schema]) => [name, toJsonSchema(schema)]);
  // Object.fromEntries forgets the names.
  return Object.fromEntries(entries) as Record<keyof typeof SCHEMAS, JsonSchema>;
}
