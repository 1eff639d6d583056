import { omit } from '../../../subgraphs/kernel/objects.ts';
import type { ReadGraph } from './documents.ts';

/** The kinds of records that have a verdict and a timeline: types of the graph. */
export const PAYMENT_KINDS = ['Operation', 'RequestMoney', 'Remittance', 'Reservation'] as const;

/** A payment as `find` names it. */
interface PaymentName {
  readonly kind: (typeof PAYMENT_KINDS)[number];
  /** `id`, `referenceId` or `correlationId`, by the kind. */
  readonly id: string;
}

interface FoundPayment {
  readonly nodeId: string;
  /** Its fields, as the console shows them, without links with which anybody can pay. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Finds a payment of the key's partner; undefined if there is none. @throws GraphError */
export async function findPayment(
  graph: ReadGraph,
  { kind, id }: PaymentName,
  signal: AbortSignal,
): Promise<FoundPayment | undefined> {
  const found = await readPayment(graph, { kind, id }, signal);
  if (found === null) {
    return undefined;
  }
  const { nodeId, ...fields } = found;
  return { nodeId, fields };
}

async function readPayment(graph: ReadGraph, { kind, id }: PaymentName, signal: AbortSignal) {
  switch (kind) {
    case 'Operation':
      return (await graph.run('operation', { id }, signal)).operation;
    case 'RequestMoney': {
      const { requestMoney } = await graph.run('moneyRequest', { referenceId: id }, signal);
      return requestMoney && omit(requestMoney, ['landingLink', 'fundRequestLink']);
    }
    case 'Remittance':
      return (await graph.run('remittance', { correlationId: id }, signal)).remittance;
    case 'Reservation':
      return (await graph.run('reservation', { correlationId: id }, signal)).reservation;
  }
}
