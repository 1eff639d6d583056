import { type ClassType, Directive, Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Position of a page in a connection (Relay Cursor Connections).' })
@Directive('@shareable')
class PageInfo {
  @Field(() => Boolean, { description: 'Whether there are more edges after this page.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether there are edges before this page.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first edge; null on an empty page.' })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'Cursor of the last edge; null on an empty page.' })
  endCursor!: string | null;
}

/** A page as services return it. */
export interface Connection<Node> {
  edges: { cursor: string; node: Node }[];
  nodes: Node[];
  pageInfo: PageInfo;
  /** Counts everything that matches. It counts only when it is called. */
  count(): Promise<number>;
}

/** The GraphQL types `<Name>Connection` and `<Name>Edge` for a node class. */
export function connectionType<Node extends object>(
  node: ClassType<Node>,
  name: string,
): ClassType<Connection<Node>> {
  @ObjectType(`${name}Edge`, { description: `One ${name} of a connection, with its cursor.` })
  class Edge {
    @Field(() => String, { description: 'Opaque position of this edge; stable under inserts.' })
    cursor!: string;

    @Field(() => node, { description: `The ${name}.` })
    node!: Node;
  }

  @ObjectType(`${name}Connection`, { description: `A page of ${name} records.` })
  class NodeConnection implements Connection<Node> {
    @Field(() => [Edge], { description: 'Records of the page, each with a cursor.' })
    edges!: Edge[];

    @Field(() => [node], { description: 'Records of the page, without cursors.' })
    nodes!: Node[];

    @Field(() => PageInfo, { description: 'Position of the page, for reading the next or previous one.' })
    pageInfo!: PageInfo;

    count!: () => Promise<number>;

    @Field(() => Int, { description: 'Total number of matching records on all pages.' })
    totalCount(): Promise<number> {
      return this.count();
    }
  }
  return NodeConnection;
}

/** The same page with other nodes. */
export function mapNodes<From, To>(source: Connection<From>, map: (node: From) => To): Connection<To> {
  const edges = source.edges.map(({ cursor, node }) => ({ cursor, node: map(node) }));
  return {
    edges,
    nodes: edges.map((edge) => edge.node),
    pageInfo: source.pageInfo,
    count: source.count,
  };
}

/** The same page with other nodes, as an instance of its GraphQL class. */
export function mapConnection<From, To extends object, Class extends Connection<To>>(
  source: Connection<From>,
  map: (node: From) => To,
  type: new () => Class,
): Class {
  return Object.assign(new type(), mapNodes(source, map));
}
