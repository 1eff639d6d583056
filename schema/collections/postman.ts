import type { SchemaFile } from '../supergraph.ts';
import {
  BASE_URL,
  type CollectionCall,
  type CollectionField,
  type CollectionFolder,
  VARIABLES,
} from './calls.ts';

const FILE = 'schema/collections/remitgraph.postman_collection.json';
const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** The calls as a Postman collection, version 2.1.0. */
export function postmanCollection(folders: readonly CollectionFolder[]): SchemaFile {
  const collection = {
    info: {
      name: 'remitgraph',
      description:
        'Every documented call. Set apiKey, and internalKey for the internal calls. Made by `npm run schema`.',
      schema: FORMAT,
    },
    item: folders.map(({ name, calls }) => ({ name, item: calls.map(toItem) })),
    variable: Object.entries(VARIABLES).map(([key, value]) => ({ key, value, type: 'string' })),
  };
  return { name: FILE, text: `${JSON.stringify(collection, undefined, 2)}\n` };
}

function toItem({ name, description, method, path, pathParameters, query, headers, body }: CollectionCall) {
  return {
    name,
    request: {
      method,
      description,
      header: headers.map(toParameter),
      url: {
        raw: `${BASE_URL}${path}`,
        host: [BASE_URL],
        path: path.split('/').slice(1),
        ...(query.length > 0 && { query: query.map(toParameter) }),
        ...(pathParameters.length > 0 && {
          variable: pathParameters.map((key) => ({ key, value: `{{${key}}}` })),
        }),
      },
      ...(body !== undefined && {
        body: {
          mode: 'raw',
          raw: JSON.stringify(body, undefined, 2),
          options: { raw: { language: 'json' } },
        },
      }),
    },
    response: [],
  };
}

function toParameter({ name, value, description, enabled }: CollectionField) {
  return {
    key: name,
    value,
    ...(description !== '' && { description }),
    ...(!enabled && { disabled: true }),
  };
}
