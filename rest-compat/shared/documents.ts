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
 * Reads, checks and plans every trusted document.
 * @throws when one is not valid against the supergraph: the process must not start
 */
export async function loadDocuments<Document extends Prepared>(
  engine: TrustedEngine<Document>,
): Promise<RunDocument> {
  const folder = join(projectRoot(), 'schema', 'operations');
  const documents = new Map(
    await Promise.all(
      NAMES.map(async (name) => {
        const document = engine.prepareTrusted(await readFile(join(folder, `${name}.graphql`), 'utf8'));
        await document.ready;
        return [name, document] as const;
      }),
    ),
  );
  return async (name, variables, context) => {
    const document = documents.get(name);
    if (!document) {
      throw new TypeError(`There is no document ${name}`);
    }
    return engine.executeTrusted(document, variables, context);
  };
}
