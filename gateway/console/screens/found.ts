import type { DataOf } from '../graph.ts';
import { pathOf, pathOfFound } from './paths.ts';

/** A record that a search has found. */
export type FoundNode = DataOf<'search'>['search'][number]['node'];

type NodeOf<Name extends FoundNode['__typename']> = Extract<FoundNode, { readonly __typename: Name }>;

/** The part of a record that names it and its screen. */
type Named =
  | Pick<NodeOf<'Operation'>, '__typename' | 'id' | 'code'>
  | Pick<NodeOf<'RequestMoney'>, '__typename' | 'referenceId'>
  | Pick<NodeOf<'Remittance' | 'Reservation'>, '__typename' | 'correlationId'>
  | NodeOf<'User' | 'Contact' | 'PaymentMethod' | 'Link' | 'WebhookDelivery'>;

/** The screen of a found record, and its label. */
interface Found {
  readonly text: string;
  readonly href: string;
}

/** Each kind of record that a search finds has a screen of its own, or a row of its user's screen. */
export function foundOf(node: Named): Found {
  switch (node.__typename) {
    case 'Operation':
      return { text: node.code, href: pathOf.operation(node.id) };
    case 'RequestMoney':
      return { text: node.referenceId, href: pathOf.moneyRequest(node.referenceId) };
    case 'Remittance':
      return { text: node.correlationId, href: pathOf.remittance(node.correlationId) };
    case 'Reservation':
      return { text: node.correlationId, href: pathOf.reservation(node.correlationId) };
    case 'User':
      return { text: textOfUser(node), href: pathOf.user(node.id) };
    case 'Contact':
    case 'PaymentMethod':
      return { text: node.id, href: pathOfFound(node.user.id, node.nodeId) };
    case 'Link':
      return { text: node.id, href: pathOf.link(node.id) };
    case 'WebhookDelivery':
      return { text: node.event, href: pathOf.delivery(node.id) };
  }
}

/** The name, as the list of users shows it, and the partner's id of the user. */
function textOfUser({ id, userReferenceId, firstName, lastName }: NodeOf<'User'>): string {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return [name, userReferenceId].filter(Boolean).join(' · ') || id;
}
