import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import mongoose from 'mongoose';
import { openApiDocuments } from '../gateway/app/openapi.ts';
import { createSubgraphs } from '../gateway/app/subgraphs.ts';
import { ERRORS_PAGE, errorsPage } from '../gateway/build/docs/errors/page.ts';
import { EVENTS_PAGE, eventsPage } from '../gateway/build/docs/events/page.ts';
import type { Config } from '../subgraphs/kernel/config/load.ts';
import { SETTINGS } from '../subgraphs/kernel/config/schema.ts';
import { toJsonSchema } from '../subgraphs/kernel/json/json-schema.ts';
import { createLogger } from '../subgraphs/kernel/log/log.ts';
import { projectRoot } from '../subgraphs/kernel/project-root.ts';
import { seedSchema } from '../subgraphs/partners/tenants/seed.ts';
import { asyncApiDocument } from './asyncapi.ts';
import { BRUNO_FOLDER, brunoCollection } from './collections/bruno.ts';
import { collectionFolders } from './collections/calls.ts';
import { postmanCollection } from './collections/postman.ts';
import { findUndescribed } from './descriptions.ts';
import { exportDocuments } from './export-documents.ts';
import { DOCUMENT_FOLDERS, operationTypes } from './operation-types.ts';
import { settingsTable, withTable } from './readme.ts';
import { serverSettings } from './server-settings.ts';
import { composeSubgraphs, type SchemaFile } from './supergraph.ts';

/** The folder of the descriptions. All its files are generated here. */
const OPENAPI_FOLDER = 'schema/openapi';
/** The description of all webhooks. */
const ASYNCAPI_FILE = 'schema/asyncapi.json';
/** Has the table of settings. */
const SETTINGS_README = 'subgraphs/kernel/config/README.md';
/** Beside its example. */
const SEED_SCHEMA = 'subgraphs/partners/tenants/seed.schema.json';
const JSON_SCHEMA = 'https://json-schema.org/draft/2020-12/schema';

/**
 * `npm run schema` writes what is generated from the code: `schema/*.graphql`, the documents of exports, the types of the
 * documents in `schema/operations`, the JSON schema of seed files, the settings of `createServer`, their table in a README, the page of
 * errors and that of events, the OpenAPI and AsyncAPI descriptions and the collections of calls. `--check` writes nothing and fails when a committed file differs.
 */
async function main(check: boolean): Promise<number> {
  const errors: SchemaFile = { name: ERRORS_PAGE, text: errorsPage() };
  const events: SchemaFile = { name: EVENTS_PAGE, text: eventsPage() };
  const folders = collectionFolders();
  const files = [
    ...(await schemaFiles()),
    seedFileSchema(),
    serverSettings(),
    await readme(),
    errors,
    events,
    { name: ASYNCAPI_FILE, text: toText(asyncApiDocument()) },
    ...openApiFiles(),
    postmanCollection(folders),
    ...brunoCollection(folders),
  ];
  const undescribed = findUndescribed(files.find(({ name }) => name === 'schema/api.graphql')?.text ?? '');
  if (undescribed.length > 0) {
    process.stderr.write(`These have no description:\n  ${undescribed.join('\n  ')}\n`);
    return 1;
  }
  return check ? reportDrift(files) : write(files);
}

/** The OpenAPI descriptions as files: for tools, and to compare with those of the last release. */
function openApiFiles(): SchemaFile[] {
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

async function schemaFiles(): Promise<SchemaFile[]> {
  const connection = mongoose.createConnection();
  connection.set('autoIndex', false);
  connection.set('autoCreate', false);
  const log = createLogger({ level: 'silent' });
  const subgraphs = await createSubgraphs({ config: defaultConfig(), connection, log });
  await connection.destroy();
  const { files, fullSchema } = composeSubgraphs(subgraphs.schemas);
  const documents = exportDocuments();
  const types = DOCUMENT_FOLDERS.map((folder) => operationTypes(fullSchema, folder, documents));
  return [...files, ...documents, ...(await Promise.all(types))];
}

/** Defaults and throw-away secrets, because the schema does not depend on settings. */
function defaultConfig(): Config {
  // `fromEntries` forgets that every setting is there.
  const defaults = Object.entries(SETTINGS).map(([name, { type }]) => [name, type.parse(undefined)]);
  return {
    ...Object.fromEntries(defaults),
    DATA_DIR: tmpdir(),
    ENCRYPTION_KEY: '0'.repeat(64),
    API_KEY_PEPPER: '0'.repeat(32),
    INTERNAL_API_KEY: '0'.repeat(16),
  } as Config;
}

/**
 * The schema of a file as people write it: fields with a default are optional. A start also checks rules that JSON
 * Schema cannot express, such as valid country codes.
 */
function seedFileSchema(): SchemaFile {
  const schema = { $schema: JSON_SCHEMA, title: 'SEED_FILE', ...toJsonSchema(seedSchema) };
  return { name: SEED_SCHEMA, text: `${JSON.stringify(schema, undefined, 2)}\n` };
}

async function readme(): Promise<SchemaFile> {
  return {
    name: SETTINGS_README,
    text: withTable(await readFile(join(projectRoot(), SETTINGS_README), 'utf8'), settingsTable()),
  };
}

/** Folders with only generated files: a file that is no longer generated is deleted. */
const OWN_FOLDERS = [OPENAPI_FOLDER, BRUNO_FOLDER];

async function findLeftOver(files: readonly SchemaFile[]): Promise<string[]> {
  const made = new Set(files.map(({ name }) => name));
  const found = await Promise.all(OWN_FOLDERS.map(filesIn));
  return found.flat().filter((name) => !made.has(name));
}

async function filesIn(folder: string): Promise<string[]> {
  const path = join(projectRoot(), folder);
  const entries = existsSync(path) ? await readdir(path, { recursive: true, withFileTypes: true }) : [];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(projectRoot(), join(entry.parentPath, entry.name)));
}

async function write(files: readonly SchemaFile[]): Promise<number> {
  await Promise.all((await findLeftOver(files)).map((name) => rm(join(projectRoot(), name))));
  for (const { name, text } of files) {
    const path = join(projectRoot(), name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  process.stdout.write(`${files.map(({ name }) => name).join('\n')}\n`);
  return 0;
}

async function reportDrift(files: readonly SchemaFile[]): Promise<number> {
  const committed = await Promise.all(
    files.map(({ name }) => readFile(join(projectRoot(), name), 'utf8').catch(() => '')),
  );
  const drifted = files.filter(({ text }, index) => text !== committed[index]);
  const leftOver = await findLeftOver(files);
  if (drifted.length > 0 || leftOver.length > 0) {
    const names = [...drifted.map(({ name }) => name), ...leftOver].join(', ');
    process.stderr.write(`Out of date: ${names}. Run \`npm run schema\` and commit the result.\n`);
    return 1;
  }
  process.stdout.write('schema: no drift\n');
  return 0;
}

process.exit(await main(process.argv.includes('--check')));
