/** How a command is walked. */
type Manner =
  /** It ends by itself, with 0. */
  | 'run'
  /** It stays up: the walk goes on when it is ready, and stops it later. */
  | 'serve'
  /** It shows what comes: the walk stops it when it is ready. */
  | 'follow'
  | 'skip';

/** The facts of a command that the text around it says in words. */
export interface Known {
  readonly command: RegExp;
  readonly manner: Manner;
  readonly why: string;
  /** Its output when it is ready, for `serve` and `follow`. */
  readonly ready?: RegExp;
  /** With what it may end after Ctrl-C; 0 unless it says otherwise. */
  readonly exits?: readonly number[];
  /** Whether only quickstarts have such commands. */
  readonly isOfQuickstarts?: boolean;
}

/** Each must fit a command somewhere: one that fits none is reported at the end. */
export const KNOWN: readonly Known[] = [
  {
    command: /^npm install \.\/remitgraph.* && /,
    manner: 'skip',
    why: 'it is for another folder, where the walk does it at the end',
  },
  { command: /^npm ci$/, manner: 'skip', why: 'the walk begins with it' },
  { command: /^npm (?:test|run test:full)\b/, manner: 'skip', why: 'CI runs it from a clone of its own' },
  {
    command: /--import=\/srv\/telemetry\.mjs/,
    manner: 'skip',
    why: "the file is the operator's own, as gateway/observe shows it; test/e2e/split-traces starts servers with one",
  },
  {
    command: /\bnpm start$/,
    manner: 'serve',
    ready: /"msg":"server\.listening"/,
    why: 'the server stays up',
  },
  {
    command: /npx remitgraph demo$/,
    manner: 'serve',
    ready: /Ctrl-C stops/,
    // npx itself ends so, whatever its command does.
    exits: [0, 130],
    why: 'the demo stays up to be tried',
  },
  {
    command: /^npm run admin -- listen\b/,
    manner: 'follow',
    ready: /Ctrl-C ends it/,
    why: 'it forwards until Ctrl-C',
  },
  {
    command: /^curl -N\b/,
    manner: 'follow',
    exits: [130],
    isOfQuickstarts: true,
    why: 'an event stream ends with Ctrl-C',
  },
];

/** The output of commands that later ones use: the words around them say so. */
export const VARIABLES: readonly { readonly name: string; readonly printed: RegExp }[] = [
  { name: 'KEY', printed: /shown only now:\n {2}(raas_\S+)/ },
  { name: 'CURSOR', printed: /"latestEventCursor":"([\w-]+)"/ },
  { name: 'PASSPHRASE', printed: /Passphrase of client\.p12:\n {2}(\S+)/ },
  { name: 'KEY_ID', printed: /"(key_[\w-]+)"/ },
];

/** A place in a command where the reader puts something. */
export const PLACEHOLDERS: readonly { readonly text: string; readonly value: string }[] = [
  { text: 'key_…', value: '"$KEY_ID"' },
];
