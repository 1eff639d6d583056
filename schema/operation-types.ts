import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import { type DocumentNode, type GraphQLSchema, Kind, parse, printSchema } from 'graphql';
import { projectRoot } from '../subgraphs/kernel/project-root.ts';
import type { SchemaFile } from './supergraph.ts';

/** Folders of documents: those of REST and jobs, and those of the console. */
export const DOCUMENT_FOLDERS = ['schema/operations', 'gateway/console/documents'] as const;
const HEADER = '// Made by `npm run schema` from the documents of this folder. Do not edit.\n\n';

/** The TypeScript types of the graph's scalars in the JSON of an answer. A missing scalar is an error. */
const SCALARS = {
  ID: 'string',
  CountryCode: 'string',
  CurrencyCode: 'string',
  Date: 'string',
  DateTime: 'string',
  Decimal: 'string',
  JSONObject: 'Readonly<Record<string, unknown>>',
};

/** A document of the folder; `location` is its path. */
interface OperationFile {
  readonly location: string;
  readonly document: DocumentNode;
}

/**
 * The TypeScript types of a folder's documents: `Documents` has the variables and the result of each by its file
 * name, and every enum has its values.
 * @param schema the whole graph, because the documents also select fields that are hidden from clients
 * @param generated the documents that are not read, because they are made now
 */
export async function operationTypes(
  schema: GraphQLSchema,
  folder: string,
  generated: readonly SchemaFile[],
): Promise<SchemaFile> {
  const documents = await readDocuments(folder, generated);
  const file = `${folder}/types.ts`;
  const types = await codegen({
    filename: file,
    // The schema is printed and parsed again, because the library has its own copy of graphql, which does not accept
    // our schema object.
    schema: parse(printSchema(schema)),
    documents,
    config: {
      scalars: SCALARS,
      strictScalars: true,
      namingConvention: 'keep',
      immutableTypes: true,
      enumType: 'const',
      disableDescriptions: true,
      skipTypename: true,
      // The fields of a fragment are declared once, in the type of the fragment.
      inlineFragmentTypes: 'combine',
    },
    plugins: [{ typescriptOperations: {} }, { documentIndex: {} }],
    pluginMap: {
      typescriptOperations,
      documentIndex: { plugin: () => documentIndex(documents) },
    },
  });
  return { name: file, text: format(`${HEADER}${types}`, file) };
}

async function readDocuments(folder: string, generated: readonly SchemaFile[]): Promise<OperationFile[]> {
  const texts = new Map(generated.map(({ name, text }) => [name, text]));
  const names = (await readdir(join(projectRoot(), folder))).map((name) => `${folder}/${name}`);
  const documents = [...new Set([...names, ...texts.keys()])].filter(
    (name) => dirname(name) === folder && name.endsWith('.graphql'),
  );
  return Promise.all(
    documents.sort().map(async (name) => {
      const location = join(projectRoot(), name);
      return { location, document: parse(texts.get(name) ?? (await readFile(location, 'utf8'))) };
    }),
  );
}

/** The names of the documents, and the variables and result of each. */
function documentIndex(documents: readonly OperationFile[]): string {
  const names = documents.map(({ location }) => basename(location, '.graphql'));
  const entries = documents.map(({ document }, index) => {
    const type = typeNameOf(document);
    return `  readonly ${names[index]}: { readonly data: ${type}; readonly variables: ${type}Variables };`;
  });
  return [
    '/** The documents, by file name. */',
    `export const DOCUMENT_NAMES = [${names.map((name) => `'${name}'`).join(', ')}] as const;`,
    '/** Variables and answer of each document. */',
    `export interface Documents {\n${entries.join('\n')}\n}`,
  ].join('\n\n');
}

/** `query PartnerMe { … }` answers a `PartnerMeQuery`. @throws TypeError unless it has one operation, with a name */
function typeNameOf({ definitions }: DocumentNode): string {
  const [operation, ...others] = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (!operation?.name || others.length > 0) {
    throw new TypeError('Each document must have one operation, with a name');
  }
  const kind = operation.operation;
  return `${operation.name.value}${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
}

/** Formatted like `npm run format` does it. */
function format(text: string, file: string): string {
  const biome = join(
    dirname(createRequire(import.meta.url).resolve('@biomejs/biome/package.json')),
    'bin',
    'biome',
  );
  return execFileSync(process.execPath, [biome, 'format', `--stdin-file-path=${file}`], {
    cwd: projectRoot(),
    input: text,
    encoding: 'utf8',
  });
}
