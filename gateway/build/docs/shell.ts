/**
 * Reads the commands of an example as a shell would: quotes, `\` at the end of a line, comments, and `$NAME`. Other syntax of a shell
 * is an error, so that no example means something that is not read here.
 * @param values of the variables
 * @returns the words of each command
 * @throws Error for a variable without a value, and for what is not read here
 */
export function readCommands(text: string, values: Readonly<Record<string, string>>): string[][] {
  const commands: string[][] = [];
  let words: string[] = [];
  const end = () => {
    commands.push(words);
    words = [];
  };
  for (let at = 0; at < text.length; ) {
    const [token = ''] = TOKEN.exec(text.slice(at)) ?? [];
    if (token === '') {
      throw new Error(`A shell's word that is not read here: ${text.slice(at, at + 40)}`);
    }
    if (token.startsWith('\n')) {
      end();
    } else if (!/^(?:\s|#|\\\n)/.test(token)) {
      words.push(unquote(token, values));
    }
    at += token.length;
  }
  end();
  return commands.filter((command) => command.length > 0);
}

/** A line's end, space, a comment, or a word: parts in quotes and parts without. */
const TOKEN = /^(?:\n|[ \t]+|\\\n|#[^\n]*|(?:'[^']*'|"(?:[^"\\`]|\\.)*"|[^\s'"`\\|&;<>()]|\\[^\n])+)/;
const PART = /'([^']*)'|"((?:[^"\\]|\\.)*)"|((?:[^'"\\]|\\.)+)/g;

function unquote(word: string, values: Readonly<Record<string, string>>): string {
  return [...word.matchAll(PART)]
    .map(([, single, double, bare]) => single ?? fill(double ?? bare ?? '', values, double !== undefined))
    .join('');
}

/** Between double quotes, `\` stands for itself before most characters. Source: POSIX, Shell Command Language, 2.2.3. */
function fill(text: string, values: Readonly<Record<string, string>>, isQuoted: boolean): string {
  return text.replaceAll(/\\(.)|\$(\w*)/g, (match, escaped?: string, name = '') => {
    if (escaped !== undefined) {
      return isQuoted && !/[$`"\\]/.test(escaped) ? match : escaped;
    }
    const value = values[name];
    if (value === undefined) {
      throw new Error(`$${name} has no value here`);
    }
    return value;
  });
}
