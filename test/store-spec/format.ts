import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { mongo } from 'mongoose';

/** A value of a specification file, whose shape depends on its place. */
export type Document = mongo.Document;

/** A file of MongoDB's driver specification tests, in the unified test format. */
export interface SpecFile {
  /** Folder and name, such as `crud/find.json`. */
  readonly name: string;
  readonly runOnRequirements?: readonly Requirement[];
  readonly createEntities?: readonly Document[];
  readonly initialData?: readonly CollectionData[];
  readonly tests: readonly SpecTest[];
}

export interface SpecTest {
  readonly description: string;
  readonly skipReason?: string;
  readonly runOnRequirements?: readonly Requirement[];
  readonly operations: readonly Operation[];
  /** The documents that must be left. */
  readonly outcome?: readonly CollectionData[];
}

/** The servers that a test is for. */
export interface Requirement {
  readonly minServerVersion?: string;
  readonly maxServerVersion?: string;
  readonly topologies?: readonly string[];
  readonly auth?: boolean;
}

export interface CollectionData {
  readonly databaseName: string;
  readonly collectionName: string;
  readonly documents: readonly Document[];
  readonly createOptions?: Document;
}

export interface Operation {
  readonly name: string;
  /** Id of the entity that does it, or `testRunner`. */
  readonly object: string;
  readonly arguments?: Document;
  readonly expectResult?: unknown;
  readonly expectError?: Document;
  readonly saveResultAsEntity?: string;
  readonly ignoreResultAndError?: boolean;
}

/** Reads every file below a copy of the specification's data: `<part>/tests/unified/*.json`. */
export function readSpec(folder: string): SpecFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json') && path.includes('unified'))
    .toSorted()
    .map((path) => {
      const [part = ''] = path.split(/[\\/]/);
      const content = mongo.BSON.EJSON.parse(readFileSync(join(folder, path), 'utf8'), { relaxed: true });
      return { ...content, name: `${part}/${basename(path)}` };
    });
}
