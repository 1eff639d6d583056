/**
 * The words and forms that no file of the project has; CONTRIBUTING.md, "How we write", has the reasons. To ban another one,
 * add a line here, run `npm run jest -- test/banned-words`, and fix each place that it names.
 */
export interface Rule {
  /** The name in messages. */
  readonly banned: string;
  readonly pattern: RegExp;
  /** The text to write instead. */
  readonly instead: string;
  /** The files that it holds for; by default all. */
  readonly files?: RegExp;
}

const CODE = /\.(?:tsx?|mjs|cjs|js|css|graphql|http|ya?ml)$/;
const TYPESCRIPT = /\.tsx?$/;
const PRODUCT = /^(?:gateway|rest-compat|schema|subgraphs)\/.*(?<!\.test)\.ts$/;

/** Banned in sentences, and as a part of identifiers: `told`, `isTold`, `toldTypes`, `TOLD_TYPES`. */
function words(instead: string, ...banned: string[]): Rule {
  const some = banned.join('|');
  const capitalized = banned.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('|');
  return {
    banned: banned.join(', '),
    pattern: new RegExp(
      `(?<![A-Za-z])(?:${some})(?![a-z])|(?:${capitalized})(?![a-z])|(?<![A-Za-z])(?:${some.toUpperCase()})(?![A-Za-z])`,
    ),
    instead,
  };
}

/** A space, or a line break within a comment or a paragraph. */
const GAP = String.raw`(?: |\n\s*(?:\*|\/\/|#)? ?)`;

/** An identifier, or a fixed phrase, which may go over a line break. */
function text(banned: string, instead: string): Rule {
  const escaped = banned.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(' ', GAP);
  return { banned, pattern: new RegExp(`(?<![A-Za-z])${escaped}(?![A-Za-z])`), instead };
}

export const RULES: readonly Rule[] = [
  {
    banned: 'URL.canParse()',
    pattern: /URL\.canParse\(/,
    instead: 'parseUrl(): in Node 20 the other one comes to reject URLs with letters such as ü',
    files: TYPESCRIPT,
  },
  words('fix', 'mend', 'mends', 'mended', 'mending'),
  words(
    'report, send, print, show, notify; distinguish (for "tell apart")',
    'tell',
    'tells',
    'told',
    'telling',
  ),
  words('receive, listen, learn', 'hear', 'hears', 'heard', 'hearing', 'unheard'),
  words('the caller, the process, any client: name it', 'whoever', 'whosoever'),
  words('crashLooping, or unsafe', 'poisoned'),
  text('wayWithMoneyRequest', 'transitionsToMatch'),
  text('turnOf', 'queueKey'),
  text('spendCards', 'tokenizeCards'),
  text('withoutSpent', 'withoutUsedCard'),
  text('lookAgain', 'recheckUser'),
  text('justAllowed', 'userJustChecked'),
  text('asked-action', 'confirmed-action'),
  text('AskedAction', 'ConfirmedAction'),
  text('standing()', 'status()'),
  text("nobody's", 'name the owner, or say that there is none'),
  text('that which', 'name the thing'),
  text('comes to nothing', 'converts to zero, has no effect'),
  text('Again: nothing', 'Repeating the call has no effect'),
  text('is another for another', 'changes when … changes'),
  text('the longest due of it', 'the oldest due item'),
  text('only for who', 'on first read, only for the caller that …'),
  text('is no matter of', 'does not concern'),
  text('nobody pays', 'simulate the payment'),
  text('is to be', 'must be, is'),
  text('are to be', 'must be, are'),
  {
    banned: '"that there is" after a noun',
    pattern: /\b(?:an?|all|one|event|tenant|scheme) (?:\w+ )?that there (?:is|are)\b/,
    instead: 'an existing tenant, a known event, everything',
  },
  {
    banned: '"who" after a preposition',
    pattern: new RegExp(String.raw`\b(?:for|of|by|to|from|with)${GAP}who\b`),
    instead: 'the caller, the process, the user that …',
  },
  {
    banned: '"who" for a program',
    pattern: new RegExp(
      String.raw`\b(?:caller|client|database|driver|endpoint|function|gateway|listener|module|process|program|provider|receiver|server|socket|store|subgraph|worker)(?:s|es)?,?${GAP}who\b`,
    ),
    instead: 'that, or which',
  },
  {
    banned: '"what is … goes" as a sentence',
    pattern: /\b[Ww]hat (?:is|are|was) [^.?'"`,;:]{1,40} (?:goes|stays|counts)\b/,
    instead: 'name the subject: "Delete dead code"',
  },
  {
    banned: 'a comment or description that starts with "What" or "Who"',
    pattern: /(?:\/\*\*? ?|^\s*\* |^\s*\/\/ |^\s*# |""")(?:@\w+ (?:[\w.]+ )?)?(?:What|Who) (?!.*\?)/m,
    instead: 'the name of the thing: "Options of a feed", not "What a feed is opened with"',
    files: CODE,
  },
  {
    banned: 'a @returns, @throws or @param that starts with "what"',
    pattern: /@(?:returns|throws|param [\w.]+) (?:what|who) /,
    instead: 'the name of the value or error',
  },
  {
    banned: 'a sentence that starts with "What" or "Who" and is no question',
    pattern: new RegExp(`[.]${GAP}(?:What|Who) (?!.*\\?)(?=[a-z])`),
    instead: 'the subject itself: "Earlier events must be read from the log"',
  },
  {
    banned: 'a text or test title that starts with "what" or "who" and is no question',
    pattern: /(?<![\w'"`])(['"`])(?:[Ww]hat|[Ww]ho) [a-z](?:(?!\1)[^?\n])*\1/,
    instead: 'the subject itself: "a paused endpoint is not", "The checker."',
    files: TYPESCRIPT,
  },
  {
    banned: 'a log event that is not domain.event_in_snake_case',
    pattern:
      /\blog\??\.(?:debug|info|warn|error|fatal)\([^;'`]*'(?=[a-zA-Z]+\.[a-z])(?![a-z_]+\.[a-z_]+')[^'\n]*'\)/,
    instead: 'for instance console_session.signed_out',
    files: PRODUCT,
  },
];

/** Texts that may have a banned word. Each has its reason. */
export const EXCEPTIONS: readonly { readonly text: string; readonly reason: string }[] = [
  { text: 'MEND_ENDPOINT_AND_REPLAY', reason: 'a value of a documented enum of the graph' },
  { text: '"What the service does"', reason: 'the name of a section of document 1' },
];

/** Files that are not read. Each has its reason. */
export const UNREAD: readonly { readonly path: string; readonly reason: string }[] = [
  { path: 'test/banned-words.ts', reason: 'names the words' },
  { path: 'test/banned-words.test.ts', reason: 'shows that they are found' },
  { path: 'CONTRIBUTING.md', reason: 'shows pairs of a bad and a good text' },
  { path: 'package-lock.json', reason: 'npm writes it' },
];
