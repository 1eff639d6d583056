import { IS_READ } from '../console/visit.ts';
import type { ConsolePage } from './console-page.ts';
import { until } from './until.ts';

/**
 * Waits until the request log in the console has acts with their persons. The log is written a moment after its calls, and its page
 * is not live, so it is opened again and again.
 * @param acts names of documents, each with the label of its session: `{ ConsoleCreateKey: 'Ana' }`
 */
export async function untilLogged(
  person: ConsolePage,
  acts: Readonly<Record<string, string>>,
): Promise<void> {
  await until(`the log has ${JSON.stringify(acts)}`, async () => {
    await person.open('/requests');
    // A page that is read before the entry is stored never shows it.
    await person.page.until(IS_READ);
    const text = await person.text();
    return Object.entries(acts).every(([name, who]) => new RegExp(`${name}\\s+${who}`).test(text));
  });
}
