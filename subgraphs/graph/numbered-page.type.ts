import { ArgsType, type ClassType, Directive, Field, Float, Int, ObjectType } from 'type-graphql';
import type { Result } from '../kernel/errors/result.ts';
import type { NumberedPage, NumberedPageQuery } from './numbered-page.ts';
import { toUserErrors, UserError } from './user-error.type.ts';

/** The query parameters of every list of document 3, as they were sent. */
@ArgsType()
export class NumberedPageArgs implements NumberedPageQuery {
  @Field(() => String, { nullable: true, description: 'Number of the page; 1 when absent.' })
  page?: string | null;

  @Field(() => String, { nullable: true, description: 'Most items on it, 1 to 100; 20 when absent.' })
  limit?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Made at this ISO 8601 date or date-time or after it.',
  })
  createdFrom?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Made on this ISO 8601 date, at this date-time, or before it.',
  })
  createdTo?: string | null;
}

/** A page in GraphQL's shape, or why there is none. */
interface PagePayload<Node> extends NumberedPage<Node> {
  userErrors: UserError[];
}

/** The GraphQL type `<Name>Page` for a node class; hidden, for clients have connections. */
export function numberedPageType<Node extends object>(
  node: ClassType<Node>,
  name: string,
): ClassType<PagePayload<Node>> {
  @ObjectType(`${name}Page`, { description: `A page of ${name} records by number.` })
  @Directive('@inaccessible')
  class Page implements PagePayload<Node> {
    @Field(() => [node], { description: 'The records; empty on failure.' })
    items!: Node[];

    @Field(() => Float, { description: 'Number of the page, from 1, as requested.' })
    page!: number;

    @Field(() => Int, { description: 'Most records on a page.' })
    limit!: number;

    @Field(() => Int, { description: 'Total number of matching records on all pages.' })
    total!: number;

    @Field(() => Int, { description: 'How many pages there are.' })
    totalPages!: number;

    @Field(() => [UserError], { description: 'Each bad value; empty on success.' })
    userErrors!: UserError[];
  }
  return Page;
}

/** A page in GraphQL's shape, or why there is none. */
export function toPagePayload<Item, Node>(
  found: Result<NumberedPage<Item>>,
  present: (item: Item) => Node,
): PagePayload<Node> {
  return found.ok
    ? { ...found.value, items: found.value.items.map(present), userErrors: [] }
    : { items: [], page: 0, limit: 0, total: 0, totalPages: 0, userErrors: toUserErrors(found.failures) };
}
