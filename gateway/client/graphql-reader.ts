import { badDocument } from './live-error.ts';

// Reads the parts of GraphQL documents that this client needs: the selected fields of an operation, and the variables
// of arguments. The parser of graphql-js would double the size of the client.

interface Field {
  readonly key: string;
  readonly name: string;
  /** The variables of arguments, by the arguments' names. */
  readonly variables: ReadonlyMap<string, string>;
  readonly selections: readonly Selection[];
}

/** A selection set: fields, inline fragments and the names of fragments. */
export type Selection = Field | { readonly selections: readonly Selection[] } | string;

export interface Operation {
  readonly kind: string;
  readonly name: string | undefined;
  readonly selections: readonly Selection[];
}

export interface Document {
  readonly operations: readonly Operation[];
  readonly fragments: ReadonlyMap<string, readonly Selection[]>;
}

/** The fields themselves, those of fragments too; each fragment once, so that one which names itself ends. */
export function fieldsOf(
  selections: readonly Selection[],
  { fragments }: Pick<Document, 'fragments'>,
  seen = new Set<string>(),
): Field[] {
  return selections.flatMap((selection) => {
    if (typeof selection !== 'string') {
      return 'key' in selection ? [selection] : fieldsOf(selection.selections, { fragments }, seen);
    }
    if (seen.has(selection)) {
      return [];
    }
    seen.add(selection);
    return fieldsOf(fragments.get(selection) ?? [], { fragments }, seen);
  });
}

const IGNORED = /(?:[\s,\uFEFF]|#[^\n\r]*)*/y;
const TOKEN =
  /\.\.\.|[!$&():=@[\]{|}]|[_A-Za-z]\w*|-?\d[\w.+-]*|"""(?:\\"""|[\s\S])*?"""|"(?:\\.|[^"\\\n\r])*"/y;

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  let at = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const [found = ''] = pattern.exec(text) ?? [];
    at += found.length;
    return found;
  };
  for (match(IGNORED); at < text.length; match(IGNORED)) {
    const token = match(TOKEN);
    if (token === '') {
      throw badDocument(`The document cannot be read from here: ${text.slice(at, at + 20)}`);
    }
    tokens.push(token);
  }
  return tokens;
}

/**
 * Reads a document that a server would accept; for an invalid one the result may be wrong.
 * Source: GraphQL, "Document Syntax".
 * @throws LiveError `BAD_DOCUMENT` when it cannot be read
 */
export function parse(query: string): Document {
  const tokens = createTokens(tokensOf(query));
  const operations: Operation[] = [];
  const fragments = new Map<string, readonly Selection[]>();
  while (tokens.peek() !== undefined) {
    const kind = tokens.peek() === '{' ? 'query' : tokens.take();
    const name = tokens.nameIfAny();
    // Variables with their defaults, a type condition, directives.
    tokens.skipTo('{');
    const selections = readSelections(tokens);
    if (kind === 'fragment') {
      fragments.set(name ?? '', selections);
    } else {
      operations.push({ kind, name, selections });
    }
  }
  return { operations, fragments };
}

interface Tokens {
  peek(): string | undefined;
  take(): string;
  /** Takes this token, if it is the next one. */
  takeIf(token: string): boolean;
  nameIfAny(): string | undefined;
  /** Skips everything before this token outside of brackets. */
  skipTo(token: string): void;
}

const OPENING = new Set(['(', '[', '{']);
const CLOSING = new Set([')', ']', '}']);

function createTokens(tokens: readonly string[]): Tokens {
  let at = 0;
  const take = () => {
    const token = tokens[at];
    if (token === undefined) {
      throw badDocument('The document ends too early');
    }
    at += 1;
    return token;
  };
  const peek = () => tokens[at];
  return {
    peek,
    take,
    takeIf: (token) => peek() === token && take() === token,
    nameIfAny: () => (/^[_A-Za-z]/.test(peek() ?? '') ? take() : undefined),
    skipTo(end) {
      for (let depth = 0; depth > 0 || peek() !== end; ) {
        const token = take();
        depth += OPENING.has(token) ? 1 : CLOSING.has(token) ? -1 : 0;
      }
    },
  };
}

function readSelections(tokens: Tokens): readonly Selection[] {
  const selections: Selection[] = [];
  tokens.skipTo('{');
  tokens.take();
  while (!tokens.takeIf('}')) {
    selections.push(tokens.takeIf('...') ? readFragment(tokens) : readField(tokens));
  }
  return selections;
}

function readFragment(tokens: Tokens): Selection {
  const name = tokens.nameIfAny();
  if (name !== undefined && name !== 'on') {
    skipDirectives(tokens);
    return name;
  }
  return { selections: readSelections(tokens) };
}

function readField(tokens: Tokens): Field {
  const key = tokens.nameIfAny();
  if (key === undefined) {
    throw badDocument(`The document has ${tokens.take()} where a field is expected`);
  }
  const name = tokens.takeIf(':') ? tokens.take() : key;
  const variables = readArguments(tokens);
  skipDirectives(tokens);
  return { key, name, variables, selections: tokens.peek() === '{' ? readSelections(tokens) : [] };
}

function readArguments(tokens: Tokens): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  if (!tokens.takeIf('(')) {
    return variables;
  }
  while (!tokens.takeIf(')')) {
    const name = tokens.take();
    if (tokens.takeIf(':') && tokens.takeIf('$')) {
      variables.set(name, tokens.take());
    } else if (OPENING.has(tokens.peek() ?? '')) {
      skipBrackets(tokens);
    } else {
      tokens.take();
    }
  }
  return variables;
}

function skipDirectives(tokens: Tokens): void {
  while (tokens.takeIf('@')) {
    tokens.take();
    if (tokens.peek() === '(') {
      skipBrackets(tokens);
    }
  }
}

function skipBrackets(tokens: Tokens): void {
  let depth = 0;
  do {
    const token = tokens.take();
    depth += OPENING.has(token) ? 1 : CLOSING.has(token) ? -1 : 0;
  } while (depth > 0);
}
