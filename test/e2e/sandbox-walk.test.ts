import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openApiDocuments } from '../../rest-compat/openapi.ts';
import { OPERATION_STATUSES, PARTNER_STATUSES } from '../../subgraphs/operations/index.ts';
import { webhookEventNamed } from '../../subgraphs/webhook-events/catalogue.ts';
import { MONEY_REQUEST_STATUSES, REMITTANCE_ERROR_CODES } from '../../subgraphs/webhook-events/values.ts';
import { exchangeWith } from '../support/http.ts';
import { CODES } from '../support/sandbox-walk/codes.ts';
import { createPartner, type Partner } from '../support/sandbox-walk/partner.ts';
import { STATUSES, WEBHOOKS } from '../support/sandbox-walk/statuses.ts';
import { useScene } from '../support/scene.ts';

const page = readFileSync('gateway/docs/sandbox.md', 'utf8');
/** Codes that need more than a sandbox key: the second table below the heading of the codes. */
const UNREACHED_AFTER = '\nThese codes need more than a sandbox key:\n';

/** First cells of the rows of a part of the page. @param cells how many make up the name of a row */
function rowsOf(part: string, cells = 1): string[] {
  const rows = part.split('\n').filter((line) => /^\| .*`/.test(line));
  return rows.map((row) =>
    row
      .split(' | ')
      .slice(0, cells)
      .map((cell) => cell.replace(/^\| /, '').replace(/^`(.*)`$/, '$1'))
      .join(' '),
  );
}

const sectionOf = (heading: string) => page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
const [reached = '', unreached = ''] = sectionOf('Every error code').split(UNREACHED_AFTER);

/** Codes in the examples of the descriptions, without those of the platform's own calls. */
function describedCodes(): Set<string> {
  const calls = Object.values(openApiDocuments()).flatMap(({ paths }) =>
    Object.entries(paths).filter(([path]) => !path.startsWith('/v1/internal/')),
  );
  const failures = calls.flatMap(([, methods]) =>
    Object.values(methods).flatMap(({ responses }) =>
      Object.entries(responses).filter(([status]) => Number(status) >= 400),
    ),
  );
  const text = JSON.stringify(failures.map(([, { content }]) => content?.['application/json']?.examples));
  return new Set([...text.matchAll(/"code":"(\w+)"/g)].map(([, code = '']) => code));
}

describe('The page of the sandbox', () => {
  test('has every code of the documents, with its walk or with a reason', () => {
    const named = [...rowsOf(reached), ...rowsOf(unreached)];
    expect(rowsOf(reached).toSorted()).toEqual(Object.keys(CODES).toSorted());
    expect([...describedCodes(), ...REMITTANCE_ERROR_CODES].filter((code) => !named.includes(code))).toEqual(
      [],
    );
    expect(rowsOf(unreached).filter((code) => code in CODES)).toEqual([]);
  });

  test('has every status of the documents, with its walk', () => {
    const rows = rowsOf(sectionOf('Every status'), 2);
    expect(rows.toSorted()).toEqual(Object.keys(STATUSES).toSorted());
    const statuses = [
      ...MONEY_REQUEST_STATUSES.map((status) => `Money request ${status}`),
      ...OPERATION_STATUSES.map((status) => `Operation ${status}`),
      ...PARTNER_STATUSES.map((status) => `Operation in \`/partner\` ${status}`),
    ];
    expect(statuses.filter((status) => !rows.includes(status))).toEqual([]);
  });

  test('has every webhook of the documents, with its walk', () => {
    const rows = rowsOf(sectionOf('Every webhook'));
    expect(rows.toSorted()).toEqual(Object.keys(WEBHOOKS).toSorted());
    // Operational events are about an integration, not about payments: their own tests cause them. A statement ends a day of the sandbox's
    // clock: `statements.test.ts` sets it ahead.
    const events = Object.values(openApiDocuments())
      .flatMap(({ webhooks }) => Object.keys(webhooks))
      .filter((name) => webhookEventNamed(name)?.receivers !== 'operational' && name !== 'statement.ready');
    expect(events.length).toBeGreaterThan(5);
    expect(events.filter((event) => !rows.includes(event))).toEqual([]);
  });
});

describe('A sandbox key alone', () => {
  const scene = useScene();
  let partner: Partner;
  beforeAll(async () => {
    // A phase fails after seconds, not after twelve minutes of retries.
    const deployment = await scene.deploy({
      env: { PIPELINE_RETRY_SECONDS: '0', PIPELINE_SWEEP_SECONDS: '1' },
    });
    const { url } = await deployment.start();
    partner = createPartner(exchangeWith(url), deployment.receiver);
  });

  test.each(Object.entries(CODES))('gets the code %s', async (code, walk) => {
    expect(await walk(partner)).toBe(code);
  });

  test.each(Object.entries(STATUSES))('reaches the status: %s', async (name, walk) => {
    expect(name.endsWith(` ${await walk(partner)}`)).toBe(true);
  });

  test.each(Object.entries(WEBHOOKS))('gets the webhook %s', async (event, cause) => {
    await partner.received(event, await cause(partner));
  });
});
