import { basename } from 'node:path';
import type { Case } from './fixture.ts';

/** Beginnings of keys, and the words for environments in bodies. */
const COUNTERPARTS: Readonly<Record<string, string>> = {
  raas_sandbox_: 'raas_live_',
  raas_live_: 'raas_sandbox_',
  '"environment":"sandbox"': '"environment":"live"',
  '"environment":"live"': '"environment":"sandbox"',
};
const EITHER = new RegExp(Object.keys(COUNTERPARTS).join('|'), 'g');

/** The text of a seed or of fixtures, with sandbox keys in the place of live keys and the other way round. */
export function withOtherKeys(text: string): string {
  return text.replaceAll(EITHER, (found) => String(COUNTERPARTS[found]));
}

/** Cases that hold only while live calls have no providers. */
const WITHOUT_PROVIDERS: ReadonlySet<string> = new Set([
  'full-keys: a live key while a provider that the call needs is not configured: nothing is stored',
  'payment-methods: a live key while the verifiers of cards and accounts are not configured: 503, and 404 for a user of the sandbox',
  'create-screening: a live key while no validator is configured',
  'create-screening: a live key and a name of the sandbox rule',
]);

/** Cases, or all cases of a file, that are not the same under a live key; why. */
const SANDBOX_ONLY: Readonly<Record<string, string>> = {
  simulation: 'live keys simulate nothing',
  'account: me, by a sandbox key with the other prefix': 'live keys have one prefix',
};

export function needsNoProviders({ file, title }: Case): boolean {
  // The cases of all surfaces are read with the folder of each.
  return WITHOUT_PROVIDERS.has(`${basename(file)}: ${title}`);
}

/** Whether the case has the same answers when its keys are live, and the providers answer as the sandbox does. */
export function holdsWithLiveKeys(one: Case): boolean {
  const { file, title } = one;
  return !(needsNoProviders(one) || file in SANDBOX_ONLY || `${file}: ${title}` in SANDBOX_ONLY);
}
