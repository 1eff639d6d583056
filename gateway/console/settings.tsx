import { computed, effect, signal } from '@preact/signals';
import { LANGUAGES, type Language, type Zone } from './format.ts';
import { en, type Words } from './language/en.ts';
import { es } from './language/es.ts';

/** Colours: the system's, or the reader's choice. */
export type Theme = 'auto' | 'light' | 'dark';

const DICTIONARIES: Readonly<Record<Language, Words>> = { en, es };

const storage = storageOf();

/** The reader's choices. The browser keeps them; they are not personal data. */
export const language = signal<Language>(kept('language', LANGUAGES, ofBrowser()));
export const zone = signal<Zone>(kept('zone', ['local', 'utc'], 'local'));
export const theme = signal<Theme>(kept('theme', ['auto', 'light', 'dark'], 'auto'));

/** The IANA name of the zone that the reader chose. */
export const timeZone = computed(() =>
  zone.value === 'utc' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone,
);

/** The language of verdicts, as the graph names it. */
export const verdictLanguage = computed(() => (language.value === 'es' ? 'ES' : 'EN'));

/** The texts of the console, in the reader's language. */
export const words = computed<Words>(() => DICTIONARIES[language.value]);

effect(() => {
  keep('language', language.value);
  document.documentElement.lang = language.value;
});
effect(() => keep('zone', zone.value));
effect(() => {
  keep('theme', theme.value);
  document.documentElement.dataset.theme = theme.value;
});

function ofBrowser(): Language {
  const preferred = navigator.languages.map((one) => one.slice(0, 2));
  return preferred.flatMap((one) => LANGUAGES.find((known) => known === one) ?? [])[0] ?? 'en';
}

function kept<Value extends string>(name: string, values: readonly Value[], otherwise: Value): Value {
  const text = storage?.getItem(`console.${name}`);
  return values.find((value) => value === text) ?? otherwise;
}

function keep(name: string, value: string): void {
  storage?.setItem(`console.${name}`, value);
}

/** Null if the reader has forbidden storage: then choices last as long as the page. */
function storageOf(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
