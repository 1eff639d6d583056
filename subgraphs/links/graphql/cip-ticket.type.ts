import { Field, ID, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../platform/graphql/scalars.ts';
import type { CipTicket as StoredTicket } from '../link.ts';
import { Link, type PresentLink } from './link.type.ts';

@ObjectType({ description: 'An identity check that a partner requested.' })
export class CipTicket {
  @Field(() => ID, { description: 'The ticketId of the REST surface.' })
  id!: string;

  @Field(() => String, { description: 'URL at which the user completes it.' })
  widgetUrl!: string;

  @Field(() => String, { description: "The partner's own id of the user." })
  referenceId!: string;

  @Field(() => DateTimeScalar, { description: 'When it was requested.' })
  createdAt!: Date;

  @Field(() => Link, { description: 'The link of the user who is checked.' })
  link!: Link;
}

/** The GraphQL shape of a ticket. */
export function presentTicket(ticket: StoredTicket, present: PresentLink): CipTicket {
  const { ticketId, widgetUrl, createdAt, link } = ticket;
  return { id: ticketId, widgetUrl, referenceId: link.referenceId, createdAt, link: present(link) };
}
