import { describe, expect, test } from '@jest/globals';
import { SCHEMES } from '../sign.ts';
import { inputOf, outcomeOf, readVectors, type Verifier } from './testing.ts';
import { type ReceivedWebhook, verifyWebhook } from './verify-webhook.ts';

const vectors = readVectors();
const example = (scheme: string) => inputOf(vectors.find((vector) => vector.scheme === scheme)!);

describe('verifyWebhook', () => {
  test.each(vectors.map((vector) => [vector.name, vector] as const))('%s', (_name, vector) => {
    expect(outcomeOf(vector)).toBe(vector.result);
  });

  test('there are vectors that are good, and vectors that are not, of every scheme', () => {
    for (const scheme of SCHEMES) {
      const results = vectors.filter((vector) => vector.scheme === scheme).map(({ result }) => result);
      expect(results).toEqual(
        expect.arrayContaining(['OK', 'MISSING_HEADER', 'MALFORMED_HEADER', 'MISMATCH']),
      );
    }
  });

  test('is what the package offers as remitgraph/webhooks', async () => {
    // Not a literal: the types of dist/ are not there before it is built.
    const published: Verifier = await import(String('remitgraph/webhooks'));
    for (const vector of vectors) {
      expect([vector.name, outcomeOf(vector, published)]).toEqual([vector.name, vector.result]);
    }
  });

  test('takes the headers of fetch and lists of values, and a text for the body', () => {
    const received = example('request_money');
    const [header] = Object.values(received.headers as Record<string, string>);
    const body = Buffer.from(received.body).toString();
    verifyWebhook({ ...received, body, headers: new Headers({ 'X-Webhook-Signature': String(header) }) });
    verifyWebhook({ ...received, headers: { 'x-webhook-signature': [String(header)] } });
    const twice = { ...received, headers: { 'x-webhook-signature': [String(header), String(header)] } };
    expect(() => verifyWebhook(twice)).toThrow('The header X-Webhook-Signature is malformed');
  });

  test('the clock is the present and the tolerance five minutes, where nothing else is said', () => {
    const { now: _now, toleranceSeconds: _tolerance, ...received } = example('request_money');
    expect(() => verifyWebhook(received)).toThrow(/^Signed more than 300 s (ago|in the future)$/);
  });

  test.each<[string, object]>([
    ['a body that was parsed', { body: { event: 'operation_created' } }],
    ['an unknown scheme', { scheme: 'toString' }],
    ['a secret that is undefined', { secrets: [undefined] }],
    ['a tolerance that is no number', { toleranceSeconds: Number.NaN }],
    ['an invalid date as the clock', { now: new Date('no date') }],
    ['a tolerance without end', { toleranceSeconds: Number.POSITIVE_INFINITY }],
  ])('%s is an error of the call', (_name, change) => {
    const received = { ...example('request_money'), ...change } as ReceivedWebhook;
    expect(() => verifyWebhook(received)).toThrow(TypeError);
  });

  test('messages contain neither secrets nor signatures', () => {
    for (const vector of vectors) {
      const message = messageOf(inputOf(vector));
      const hidden = [...vector.secrets, ...Object.values(vector.headers)].filter((text) => text.length > 8);
      expect(hidden.filter((text) => message.includes(text))).toEqual([]);
      expect(message).not.toMatch(/[0-9a-f]{16}/);
    }
  });
});

function messageOf(received: ReceivedWebhook): string {
  try {
    verifyWebhook(received);
    return '';
  } catch (error) {
    return String(error);
  }
}
