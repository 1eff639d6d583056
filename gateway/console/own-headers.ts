import type { WebhookHeaderInput } from './documents/types.ts';

/** The text of a form for headers whose values are not known: each name on a line, with a place for its value. */
export function writeHeaders(names: readonly string[]): string {
  return names.map((name) => `${name}: `).join('\n');
}

/** Reads the text of the form: a header on each line. One without a value is sent without it, and the server rejects it. */
export function readHeaders(text: string): WebhookHeaderInput[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', ...value] = line.split(':');
      return { name: name.trim(), value: value.join(':').trim() };
    });
}
