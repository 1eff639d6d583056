import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionResult } from 'graphql';
import type { RequestContext } from '../../subgraphs/platform/principal.ts';
import { projectRoot } from '../../subgraphs/platform/project-root.ts';

/** The documents of `schema/operations` that the REST surfaces send, by file name. */
const NAMES = [
  'createRequestMoney',
  'requestMoney',
  'updateRequestMoneyStatus',
  'requestMoneyFull',
  'requestMoneyV2',
  'operationHistory',
  'operationDetail',
  'frequentContacts',
  'userToken',
  'registerUser',
  'createContact',
  'addCard',
  'addUbn',
  'updateOperationStatus',
  'partnerLinks',
  'partnerLink',
  'createPartnerLink',
  'revokePartnerLink',
  'partnerLinkActivity',
  'partnerLinkReadiness',
  'partnerLinkImage',
  'createPartnerCipTicket',
  'fulfilPartnerDataRequest',
  'partnerUsers',
  'blockPartnerUser',
  'unblockPartnerUser',
  'partnerOperations',
  'partnerOperation',
  'partnerMe',
  'partnerWebhookConfig',
  'regeneratePartnerSecret',
  'partnerPreQuote',
  'openLink',
  'raiseDataRequest',
  'updateUserCip',
] as const;
export type DocumentName = (typeof NAMES)[number];

/** Runs a trusted document against the gateway: the only way by which a REST call reaches data. */
export type RunDocument = (
  name: DocumentName,
  variables: Readonly<Record<string, unknown>>,
  context: RequestContext,
) => Promise<ExecutionResult>;

/** A document that an engine has taken; `ready` rejects with what is wrong with it. */
interface Prepared {
  readonly ready: Promise<void>;
}

/** What the REST surfaces need of an engine. */
interface TrustedEngine<Document> {
  prepareTrusted(document: string): Document;
  executeTrusted(
    document: Document,
    variables: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): Promise<ExecutionResult>;
}

/**
 * Reads every trusted document. Each is checked and planned when a call needs it first, which takes milliseconds then;
 * for all of them together it would be a good part of a start.
 * @param options.eager checks and plans all of them now: for a supergraph that was not tested with them
 * @throws when one cannot be read, or with `eager` is not valid against the supergraph: the process must not start
 */
export async function loadDocuments<Document extends Prepared>(
  engine: TrustedEngine<Document>,
  { eager }: { readonly eager: boolean },
): Promise<RunDocument> {
  const folder = join(projectRoot(), 'schema', 'operations');
  const texts = await Promise.all(
    NAMES.map(async (name) => [name, await readFile(join(folder, `${name}.graphql`), 'utf8')] as const),
  );
  const documents = new Map(texts.map(([name, text]) => [name, once(() => engine.prepareTrusted(text))]));
  if (eager) {
    await Promise.all([...documents.values()].map((document) => document().ready));
  }
  return async (name, variables, context) => {
    const document = documents.get(name);
    if (!document) {
      throw new TypeError(`There is no document ${name}`);
    }
    return engine.executeTrusted(document(), variables, context);
  };
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
