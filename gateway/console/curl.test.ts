import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { curlOf } from './curl.ts';

const BASE = 'https://pay.example/graph';
const REST = {
  ...{ surface: 'REQUEST_MONEY', method: 'POST', path: '/v1/request-money', operation: null },
  subjects: ['AB12cd34'],
};

/** The words that a shell gives to curl. */
function wordsOf(command: string): string[] {
  const run = execFileSync('sh', ['-c', command.replace(/^curl/, "printf '%s\\n'")], {
    env: { REMITGRAPH_API_KEY: 'raas_sandbox_x' },
  });
  return run.toString().trimEnd().split('\n');
}

describe('The command of a logged request', () => {
  test('has the method, the address, the key of the environment and the outline of a body', () => {
    expect(wordsOf(curlOf(REST, BASE))).toEqual([
      ...['-X', 'POST', `${BASE}/v1/request-money`, '-H', 'X-API-Key: raas_sandbox_x'],
      ...['-H', 'content-type: application/json', '-d', '{}'],
    ]);
    expect(curlOf(REST, BASE)).not.toContain('raas_');
  });

  test('fills a parameter in if the log has one id, and names the parameters otherwise', () => {
    const get = { ...REST, method: 'GET', path: '/partner/links/:linkId/activity' };
    expect(wordsOf(curlOf({ ...get, subjects: ['l_1'] }, BASE))).toEqual([
      ...['-X', 'GET', `${BASE}/partner/links/l_1/activity`, '-H', 'X-API-Key: raas_sandbox_x'],
    ]);
    for (const subjects of [[], ['l_1', 'u_1']]) {
      expect(curlOf({ ...get, subjects }, BASE)).toContain('/partner/links/{linkId}/activity');
    }
  });

  test('names the operation of the graph, whatever it came by', () => {
    const graph = { ...REST, surface: 'GRAPHQL', method: null, path: null, operation: 'CreateKey' };
    const words = wordsOf(curlOf(graph, BASE));
    expect(words).toContain(`${BASE}/graphql`);
    expect(words.at(-1)).toBe('{"query":"…","operationName":"CreateKey","variables":{}}');
    const file = { ...graph, method: 'GET', path: '/exports/webhooks.csv' };
    expect(wordsOf(curlOf(file, BASE))).toContain(`${BASE}/exports/webhooks.csv`);
  });

  test.each(["'; id; '", '$(id)', '`id`', '"$REMITGRAPH_API_KEY"', 'a b&c'])(
    'runs nothing of an id: %s',
    (id) => {
      const get = { ...REST, method: 'GET', path: '/v1/request-money/:referenceId', subjects: [id] };
      expect(wordsOf(curlOf(get, BASE))[2]).toBe(`${BASE}/v1/request-money/${encodeURIComponent(id)}`);
      const graph = { ...REST, surface: 'GRAPHQL', path: null, operation: id };
      expect(JSON.parse(wordsOf(curlOf(graph, BASE)).at(-1) ?? '').operationName).toBe(id);
    },
  );
});
