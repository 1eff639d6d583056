import { type BruRequest, envJsonToBruV2, jsonToBruV2 } from '@usebruno/lang';
import type { SchemaFile } from '../supergraph.ts';
import {
  BASE_URL,
  type CollectionCall,
  type CollectionField,
  type CollectionFolder,
  VARIABLES,
} from './calls.ts';

/** The folder of the collection: everything in it is made here. */
export const BRUNO_FOLDER = 'schema/collections/bruno';

/** Values that Bruno stores on the reader's machine, not in files. */
const SECRETS: ReadonlySet<string> = new Set(['apiKey', 'internalKey']);

/** The calls as a collection of Bruno: a folder for each document, a file for each call. */
export function brunoCollection(folders: readonly CollectionFolder[]): SchemaFile[] {
  const about = { version: '1', name: 'remitgraph', type: 'collection' };
  const variables = Object.entries(VARIABLES).map(([name, value]) => ({
    name,
    value,
    enabled: true,
    secret: SECRETS.has(name),
  }));
  return [
    { name: `${BRUNO_FOLDER}/bruno.json`, text: `${JSON.stringify(about, undefined, 2)}\n` },
    { name: `${BRUNO_FOLDER}/environments/local.bru`, text: withLineEnd(envJsonToBruV2({ variables })) },
    ...folders.flatMap(({ name, calls }) =>
      calls.map((call, index) => ({
        name: `${BRUNO_FOLDER}/${toFolder(name)}/${call.name}.bru`,
        text: withLineEnd(jsonToBruV2(toRequest(call, index + 1))),
      })),
    ),
  ];
}

function toRequest(call: CollectionCall, seq: number): BruRequest {
  const { name, description, method, path, pathParameters, query, headers, body } = call;
  return {
    meta: { name, type: 'http', seq },
    http: {
      method: method.toLowerCase(),
      url: `${BASE_URL}${path}${queryOf(query)}`,
      body: body === undefined ? 'none' : 'json',
      auth: 'none',
    },
    params: [
      ...query.map((field) => ({ ...toField(field), type: 'query' as const })),
      ...pathParameters.map((key) => ({
        name: key,
        value: `{{${key}}}`,
        enabled: true,
        type: 'path' as const,
      })),
    ],
    headers: headers.map(toField),
    ...(body !== undefined && { body: { json: JSON.stringify(body, undefined, 2) } }),
    docs: description,
  };
}

/** Such as `partner-api`. */
function toFolder(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}

function toField({ name, value, enabled }: CollectionField) {
  return { name, value, enabled };
}

/** Bruno also shows query parameters in the URL. */
function queryOf(query: readonly CollectionField[]): string {
  const sent = query.filter(({ enabled }) => enabled);
  return sent.length === 0 ? '' : `?${sent.map(({ name, value }) => `${name}=${value}`).join('&')}`;
}

function withLineEnd(text: string): string {
  return `${text.trimEnd()}\n`;
}
