/** The content of a node's id: a type of the graph, and the raw id that finds the entity. */
interface NodeReference {
  readonly type: string;
  readonly id: string;
}

const LONGEST = 2048;

/** Makes the id of an entity that is unique in the graph: opaque to clients, base64url of `Type:rawId`. */
export function toNodeId({ type, id }: NodeReference): string {
  return Buffer.from(`${type}:${id}`).toString('base64url');
}

/** Reads what {@link toNodeId} made; undefined for everything else. */
export function fromNodeId(nodeId: string): NodeReference | undefined {
  if (nodeId.length > LONGEST) {
    return undefined;
  }
  const [, type, id] = /^(\w+):(.+)$/s.exec(Buffer.from(nodeId, 'base64url').toString()) ?? [];
  // An entity has exactly one id: another spelling that decodes to the same is invalid.
  return type !== undefined && id !== undefined && toNodeId({ type, id }) === nodeId
    ? { type, id }
    : undefined;
}
