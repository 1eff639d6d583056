import { mongo } from 'mongoose';
import type { Document } from './format.ts';

/** Anything that operations are done with: clients, databases, collections, sessions, change streams, saved results. */
export class EntityMap {
  readonly all = new Map<string, unknown>();
  readonly #uri: string;

  constructor(uri: string) {
    this.#uri = uri;
  }

  /** @throws TypeError without an entity of that id and kind */
  get<Kind>(id: string, kind: abstract new (...args: never) => Kind): Kind {
    const entity = this.all.get(id);
    if (!(entity instanceof kind)) {
      throw new TypeError(`${id} is no ${kind.name}`);
    }
    return entity;
  }

  create(definitions: readonly Document[]): void {
    for (const definition of definitions) {
      const [[kind, details] = ['', {}]] = Object.entries(definition);
      this.all.set(details.id, this.#make(kind, details));
    }
  }

  async close(): Promise<void> {
    for (const entity of [...this.all.values()].toReversed()) {
      if (entity instanceof mongo.ClientSession) {
        await entity.endSession();
      } else if (entity instanceof mongo.ChangeStream || entity instanceof mongo.MongoClient) {
        await entity.close();
      }
    }
  }

  #make(kind: string, details: Document): unknown {
    switch (kind) {
      case 'client':
        return new mongo.MongoClient(this.#uri, details.uriOptions ?? {});
      case 'database':
        return this.get(details.client, mongo.MongoClient).db(
          details.databaseName,
          toOptions(details.databaseOptions),
        );
      case 'collection':
        return this.get(details.database, mongo.Db).collection(
          details.collectionName,
          toOptions(details.collectionOptions),
        );
      case 'session':
        return this.get(details.client, mongo.MongoClient).startSession(
          toSessionOptions(details.sessionOptions),
        );
      default:
        throw new TypeError(`An entity of the kind ${kind} is not known here`);
    }
  }
}

function toSessionOptions(options: Document = {}): mongo.ClientSessionOptions {
  const { defaultTransactionOptions, ...others } = options;
  return {
    ...others,
    ...(defaultTransactionOptions && { defaultTransactionOptions: toOptions(defaultTransactionOptions) }),
  };
}

/** Options in the driver's form. */
export function toOptions(options: Document = {}): Document {
  const { readPreference, returnDocument, ...others } = options;
  return {
    ...others,
    ...(readPreference && {
      readPreference: mongo.ReadPreference.fromOptions({ readPreference: lowered(readPreference) }),
    }),
    ...(returnDocument && { returnDocument: String(returnDocument).toLowerCase() }),
  };
}

/** The format writes `Primary`, the driver `primary`. */
function lowered({ mode, ...others }: Document): Document {
  return { ...others, mode: `${String(mode)[0]?.toLowerCase()}${String(mode).slice(1)}` };
}
