import { type JsonSchema, toJsonSchema } from '../../kernel/json/json-schema.ts';
import { keysOf, recordOf } from '../../kernel/objects.ts';
import {
  createCipTicketSchema,
  createLinkSchema,
  fulfilSchema,
  openLinkSchema,
  raiseSchema,
  simulatedCipSchema,
  simulatedRaiseSchema,
  updateCipSchema,
} from './link-commands.ts';

const SCHEMAS = {
  CreateLink: createLinkSchema,
  CreateCipTicket: createCipTicketSchema,
  FulfilDataRequest: fulfilSchema,
  RaiseDataRequest: raiseSchema,
  SimulateCip: simulatedCipSchema,
  SimulateDataRequest: simulatedRaiseSchema,
  UpdateCip: updateCipSchema,
  OpenLink: openLinkSchema,
} as const;

/** JSON Schemas of the bodies of document 3's links, made from the schemas that check them. */
export function linkJsonSchemas(): Readonly<Record<keyof typeof SCHEMAS, JsonSchema>> {
  return recordOf(keysOf(SCHEMAS), (name) => toJsonSchema(SCHEMAS[name]));
}
