import 'reflect-metadata';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { bruToEnvJsonV2, bruToJsonV2 } from '@usebruno/lang';
import postman from 'postman-collection';
import { openApiDocuments } from '../../gateway/app/openapi.ts';
import { BRUNO_FOLDER } from './bruno.ts';
import { collectionFolders, VARIABLES } from './calls.ts';
import { readPostmanRequests } from './testing.ts';

const calls = collectionFolders().flatMap((folder) => folder.calls);

/** Every documented call, as `POST /path/{name}`. */
const documented = Object.values(openApiDocuments()).flatMap(({ paths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  ),
);
const written = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}');

test('there is one request for each documented call, with a body where one is documented', () => {
  expect(calls.map(({ method, path }) => `${method} ${written(path)}`).sort()).toEqual(documented.sort());
  expect(calls.filter(({ body }) => body !== undefined).length).toBeGreaterThan(10);
});

describe("Postman's collection", () => {
  test("can be read by Postman's own library, with every variable that it uses", () => {
    const requests = readPostmanRequests(VARIABLES);
    expect(requests.map(({ name }) => name)).toEqual(calls.map(({ name }) => name));
    for (const { url, headers, body } of requests) {
      expect(url).toMatch(/^http:\/\/localhost:4000\/[^{}:]*$/);
      expect(JSON.stringify([headers, body])).not.toContain('{{');
    }
  });

  test("loses nothing when Postman's library writes it again", () => {
    const text = readFileSync('schema/collections/remitgraph.postman_collection.json', 'utf8');
    const given = JSON.parse(text);
    const again = new postman.Collection(given).toJSON();
    const names = (items: { name: string; item?: object[] }[]): unknown[] =>
      items.map(({ name, item }) => (item ? [name, names(item as { name: string }[])] : name));
    expect(names(again.item as { name: string }[])).toEqual(names(given.item));
    expect(given.info.schema).toBe('https://schema.getpostman.com/json/collection/v2.1.0/collection.json');
  });
});

describe("Bruno's collection", () => {
  const files = readdirSync(BRUNO_FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.bru') && !name.startsWith('environments'))
    .map((name) => bruToJsonV2(readFileSync(join(BRUNO_FOLDER, name), 'utf8')));

  test("can be read by Bruno's own parser, and has the same requests as Postman's", () => {
    const asked = files.map(({ meta, http, body }) => ({
      name: meta.name,
      method: http.method.toUpperCase(),
      path: http.url.replace('{{baseUrl}}', '').replace(/\?.*/, ''),
      body: body === undefined ? undefined : JSON.parse(body.json),
    }));
    const expected = calls.map(({ name, method, path, body }) => ({ name, method, path, body }));
    const byPath = (one: { method: string; path: string }, other: { method: string; path: string }) =>
      `${one.method} ${one.path}`.localeCompare(`${other.method} ${other.path}`);
    expect(asked.sort(byPath)).toEqual(expected.sort(byPath));
  });

  test('has an environment with every variable; keys are secret', () => {
    const { variables } = bruToEnvJsonV2(readFileSync(join(BRUNO_FOLDER, 'environments/local.bru'), 'utf8'));
    expect(variables.map(({ name }) => name).sort()).toEqual(Object.keys(VARIABLES).sort());
    expect(variables.filter(({ secret }) => secret).map(({ name }) => name)).toEqual([
      'apiKey',
      'internalKey',
    ]);
  });
});
