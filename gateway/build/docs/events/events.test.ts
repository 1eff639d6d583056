import { expect, test } from '@jest/globals';
import { object, text } from '../../../../subgraphs/kernel/json/json-schema.ts';
import { WEBHOOK_EVENTS } from '../../../../subgraphs/webhook-events/catalogue.ts';
import { eventsPage } from './page.ts';

const page = eventsPage();
const entries = new Map(
  page.split(/^## /m).map((entry): [string | undefined, string] => [entry.split('\n')[0], entry]),
);
const entryOf = (name: string) => entries.get(name) ?? '';

test('has an entry with an example for each event, and a row in the first table', () => {
  expect([...entries.keys()].slice(1)).toEqual([...WEBHOOK_EVENTS.map(({ name }) => name), 'Headers']);
  for (const { name, example, sentWhen, version } of WEBHOOK_EVENTS) {
    const [, shown = ''] = /```json\n([\s\S]*?)```/.exec(entryOf(name)) ?? [];
    expect(JSON.parse(shown)).toEqual(example);
    expect(entryOf(name)).toContain(sentWhen);
    expect(page).toMatch(new RegExp(`^\\| \\[\`${name}\`\\].* \\| ${version} \\|$`, 'm'));
  }
});

test('says how long each version of the catalogue is supported', () => {
  const versions = [{ version: 1, deprecatedAt: '2026-12-01', sunsetAt: '2027-06-01' }, { version: 2 }];
  expect(eventsPage(versions)).toContain(
    '\n- Version 1 is supported at least until 2027-06-01.\n- Version 2 has no announced end.\n',
  );
});

test('has the fields of earlier bodies, for endpoints of these versions', () => {
  const earlier = [3, 1].map((version) => ({
    version,
    schema: object({ [`field${version}`]: text }),
    downgrade: () => ({}),
  }));
  const [event] = WEBHOOK_EVENTS;
  const changed = eventsPage([], event && [{ ...event, version: 4, earlier }]);
  const after = changed.slice(changed.indexOf('In versions before 4'));
  expect(after).toMatch(
    /^In versions before 4, [^|]*\|.*\|\n.*\n\| `field3` \| string \| {2}\|\n\nIn versions before 3, [^|]*\|.*\|\n.*\n\| `field1` /,
  );
});

test('has a row for each field, also of objects in objects, with its type and values', () => {
  const rows = entryOf('operation_created').split('\n');
  expect(rows).toEqual(
    expect.arrayContaining([
      '| `event` | string | Always `operation_created`. |',
      '| `data.amount` | number | Exact to the digits sent. |',
      '| `data.requestData.name.secondName` | string, optional |  |',
      '| `data.status` | string | One of `pending`, `processing`, `completed`, `rejected`, `cancelled`. |',
    ]),
  );
  expect(entryOf('user.data_request')).toMatch(/^\| `data.fields` \| list of strings \| .*One of `name`, /m);
  expect(entryOf('key.expiring')).toContain('| `data.lastUsedAt` | string or null | ');
  expect(entryOf('test')).toContain('| `data.test` | boolean | Always `true`. |');
});

test('has the headers of each document', () => {
  for (const header of ['X-Webhook-Signature', 'X-RAAS-Timestamp', 'x-raas-signature']) {
    expect(entryOf('Headers')).toMatch(new RegExp(`^\\| \`${header}\` \\|`, 'm'));
  }
});
