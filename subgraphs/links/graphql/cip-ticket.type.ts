import { Field, ID, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../graph/scalars.ts';
import type { CipTicket as StoredTicket } from '../link.ts';
import { Link, type PresentLink } from './link.type.ts';

@ObjectType({ description: 'An identity check that the partner requested.' })
export class CipTicket {
  @Field(() => ID, { description: 'The ticketId of the REST surface.' })
  id!: string;

  @Field(() => String, { description: 'URL where the user completes the check.' })
  widgetUrl!: string;

  @Field(() => String, { description: 'Id that the partner gave the user.' })
  referenceId!: string;

  @Field(() => DateTimeScalar, { description: 'When it was requested.' })
  createdAt!: Date;

  @Field(() => Link, { description: 'The link whose user is checked.' })
  link!: Link;
}

/** The GraphQL shape of a ticket. */
export function presentTicket(ticket: StoredTicket, present: PresentLink): CipTicket {
  const { ticketId, widgetUrl, createdAt, link } = ticket;
  return { id: ticketId, widgetUrl, referenceId: link.referenceId, createdAt, link: present(link) };
}
