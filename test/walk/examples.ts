/** A fenced example of a document, with the answer that is printed behind it. */
export interface Example {
  /** The word behind the fence: `sh`, `graphql`, … */
  readonly language: string;
  readonly text: string;
  /** The JSON of the fence that follows at once; undefined where there is none. */
  readonly answer: unknown;
}

const FENCE = /^```(\w+)[^\n]*\n([\s\S]*?)^```\n(?:```json\n([\s\S]*?)^```)?/gm;

/** Every example of a document, in its order. */
export function readExamples(markdown: string): Example[] {
  return [...markdown.matchAll(FENCE)].map(([, language = '', text = '', answer]) => ({
    language,
    text,
    answer: answer === undefined ? undefined : JSON.parse(answer),
  }));
}

/** The commands of a `sh` example: lines, joined where a quote or a backslash goes on. */
export function commandsOf(script: string): string[] {
  const commands: string[] = [];
  let command = '';
  for (const line of script.split('\n')) {
    command += command === '' ? line : `\n${line}`;
    if (!isOpen(command)) {
      commands.push(command.trim());
      command = '';
    }
  }
  return commands.filter((one) => one !== '' && !one.startsWith('#'));
}

/** Whether the shell would ask for another line. */
function isOpen(command: string): boolean {
  const quotes = command.replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"/g, '');
  // An apostrophe in a comment is none.
  return /['"]/.test(quotes.replace(/\s#.*/, '')) || command.endsWith('\\');
}

/** The values that differ by nature from one server to the next. */
const OWN_VALUES: readonly RegExp[] = [
  /\/fund\/[\w-]{22}$/,
  /^(?:usr|req|key|del|op|lnk)_[\w-]{20}$/,
  /^[\w-]{40,}$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/,
];

/** Where an answer is not what is printed, each as a path and both values; empty when it is. */
export function differences(printed: unknown, actual: unknown, path = '$'): string[] {
  if (isObject(printed) && isObject(actual)) {
    const names = new Set([...Object.keys(printed), ...Object.keys(actual)]);
    return [...names].flatMap((name) => differences(printed[name], actual[name], `${path}.${name}`));
  }
  return isSameValue(printed, actual) ? [] : [`${path}: printed ${show(printed)}, got ${show(actual)}`];
}

/** An object, or a list, whose names are its places. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isSameValue(printed: unknown, actual: unknown): boolean {
  const [one, other] = [String(printed), String(actual)];
  return printed === actual || OWN_VALUES.some((pattern) => pattern.test(one) && pattern.test(other));
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
