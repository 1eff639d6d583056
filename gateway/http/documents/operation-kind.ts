import { GraphQLError, Lexer, OperationTypeNode, Source, type Token, TokenKind } from 'graphql';

const KINDS: ReadonlyMap<string, OperationTypeNode> = new Map(
  Object.values(OperationTypeNode).map((kind) => [kind, kind]),
);

const OPENING = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.PAREN_L]);
const CLOSING = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.PAREN_R]);

/** Thrown to stop reading a document that has more tokens than allowed. */
class OutOfTokens extends Error {}

function createReader(text: string, maxTokens: number) {
  const lexer = new Lexer(new Source(text));
  let read = 0;
  return {
    next(): Token {
      read += 1;
      if (read > maxTokens) {
        throw new OutOfTokens();
      }
      return lexer.advance();
    },
    peek: (): Token => lexer.lookahead(),
  };
}

type Reader = ReturnType<typeof createReader>;

/** Reads to the brace that closes the definition that begins with `first`. */
function skipDefinition(reader: Reader, first: Token): void {
  let depth = 0;
  for (let token = first; token.kind !== TokenKind.EOF; token = reader.next()) {
    depth += Number(OPENING.has(token.kind)) - Number(CLOSING.has(token.kind));
    if (depth === 0 && token.kind === TokenKind.BRACE_R) {
      return;
    }
  }
}

function findKind(reader: Reader, operationName: string | null): OperationTypeNode | null {
  for (let first = reader.next(); first.kind !== TokenKind.EOF; first = reader.next()) {
    const isShort = first.kind === TokenKind.BRACE_L;
    const kind = isShort ? OperationTypeNode.QUERY : KINDS.get(first.value ?? '');
    const second = isShort ? null : reader.peek();
    const name = second?.kind === TokenKind.NAME ? second.value : null;
    if (kind !== undefined && (operationName === null || operationName === name)) {
      return kind;
    }
    skipDefinition(reader, first);
  }
  return null;
}

/**
 * Finds the kind of the operation that would run if the document is valid. It only reads tokens, mostly one, and parses
 * nothing.
 * @returns null when the document has no such operation within its first `maxTokens` tokens
 */
export function operationKind(
  text: string,
  operationName: string | null,
  maxTokens = Number.POSITIVE_INFINITY,
): OperationTypeNode | null {
  try {
    return findKind(createReader(text, maxTokens), operationName);
  } catch (error) {
    if (error instanceof GraphQLError || error instanceof OutOfTokens) {
      // It is not a document, or too long; the engine reports the place.
      return null;
    }
    throw error;
  }
}
