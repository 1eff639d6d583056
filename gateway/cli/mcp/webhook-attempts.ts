import type { ReadGraph } from './documents.ts';

/** The most attempts of an answer: the newest. */
export const MOST_ATTEMPTS = 20;

/**
 * A webhook and its newest attempts; undefined if the partner has none with this id.
 * @param withAnswers whether the receiver's answers are read, which the graph records
 * @throws GraphError
 */
export async function readWebhook(
  graph: ReadGraph,
  { id, withAnswers }: { readonly id: string; readonly withAnswers: boolean },
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { webhookDelivery } = await graph.run('delivery', { id, isRevealed: withAnswers }, signal);
  if (webhookDelivery === null) {
    return undefined;
  }
  const { attempts, subject, body: _body, formerUrls: _formerUrls, ...webhook } = webhookDelivery;
  return {
    webhook: { ...webhook, subject: subject && { kind: subject.kind, subjectId: subject.id } },
    entries: attempts
      .slice(-MOST_ATTEMPTS)
      .map(({ headers: _headers, timing: _timing, ...attempt }) => attempt),
  };
}
