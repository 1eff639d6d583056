import { openApiDocuments } from '../gateway/app/openapi.ts';
import type { SchemaFile } from './supergraph.ts';

/** The folder of the descriptions. All its files are generated here. */
export const OPENAPI_FOLDER = 'schema/openapi';

/** The OpenAPI descriptions as files: for tools, and to compare with those of the last release. */
export function openApiFiles(): SchemaFile[] {
  const {
    '/v1/user/openapi.json': remittance,
    '/v1/openapi.json': requestMoney,
    '/partner/openapi.json': partner,
  } = openApiDocuments();
  return [
    { name: `${OPENAPI_FOLDER}/remittance.json`, text: toText(remittance) },
    { name: `${OPENAPI_FOLDER}/request-money.json`, text: toText(requestMoney) },
    { name: `${OPENAPI_FOLDER}/partner.json`, text: toText(partner) },
  ];
}

function toText(document: object): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
