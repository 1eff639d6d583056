import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { buildSchema, parse, validate } from 'graphql';
import { addCommonHeaders } from '../options.ts';
import { addGraphiQL } from './routes.ts';

/** Every address that a browser fetches automatically because of this text. */
function loadedUrls(text: string): string[] {
  const attributes = [...text.matchAll(/<[a-z]+\b[^>]*?\s(?:src|href|srcset|data|poster)="([^"]*)"/gi)];
  const styles = [...text.matchAll(/@import\s+(?:url\()?["']?([^"')\s;]+)|\burl\(\s*["']?([^"')]+)/gi)];
  return [...attributes, ...styles].map(([, first, second]) => first ?? second ?? '');
}

const namesAnotherHost = (url: string) => /^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(url);

async function withApp<T>(
  key: string | undefined,
  run: (get: (url: string, headers?: Record<string, string>, from?: string) => Promise<Answer>) => Promise<T>,
  publicUrl?: string,
): Promise<T> {
  const app = Fastify();
  addCommonHeaders(app);
  try {
    await addGraphiQL(app, { key, publicUrl });
    return await run(async (url, headers = {}, remoteAddress = '127.0.0.1') => {
      const { statusCode, body, headers: answered } = await app.inject({ url, headers, remoteAddress });
      return { statusCode, body, headers: answered };
    });
  } finally {
    await app.close();
  }
}

interface Answer {
  statusCode: number;
  body: string;
  headers: Record<string, unknown>;
}

function settingsOf(page: string): { defaultHeaders: string; defaultQuery: string } {
  const [, json = ''] = /<script id="settings" type="application\/json">(.*?)<\/script>/s.exec(page) ?? [];
  return JSON.parse(json);
}

describe('GraphiQL', () => {
  test('answers the page and each file that it loads, and loads nothing from another host', async () => {
    await withApp('raas_sandbox_key', async (get) => {
      const page = await get('/graphiql');
      expect(page.statusCode).toBe(200);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      const urls = loadedUrls(page.body).filter((url) => !url.startsWith('data:'));
      expect(urls.map((url) => url.split('/').at(-1))).toEqual([
        'graphiql.min.css',
        'page.css',
        'react.production.min.js',
        'react-dom.production.min.js',
        'graphql-ws.min.js',
        'graphiql.min.js',
        'page.js',
      ]);
      for (const url of urls) {
        expect(namesAnotherHost(url)).toBe(false);
        const asset = await get(new URL(url, 'http://host/graphiql').pathname);
        expect(asset.statusCode).toBe(200);
        expect(asset.body.length).toBeGreaterThan(0);
        expect(asset.headers['content-type']).toMatch(
          url.endsWith('.css') ? /^text\/css\b/ : /^(text|application)\/javascript\b/,
        );
        if (url.endsWith('.css')) {
          expect(loadedUrls(asset.body).filter((inner) => !inner.startsWith('data:'))).toEqual([]);
        }
      }
    });
  });

  test('lets the browser load and call only this host', async () => {
    await withApp('raas_sandbox_key', async (get) => {
      const { headers, body } = await get('/graphiql');
      const policy = new Map(
        String(headers['content-security-policy'])
          .split('; ')
          .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]),
      );
      expect(policy.get('default-src')).toEqual(["'none'"]);
      expect(policy.get('script-src')).toEqual(["'self'"]);
      expect(policy.get('connect-src')).toEqual(["'self'"]);
      expect([...policy.values()].flat().filter((source) => !/^'|^data:$/.test(source ?? ''))).toEqual([]);
      expect(headers['cache-control']).toBe('no-store');
      const inline = [...body.matchAll(/<script\b([^>]*)>/g)].filter(
        ([, attributes]) => !attributes?.includes('src='),
      );
      expect(inline.map(([, attributes]) => attributes)).toEqual([' id="settings" type="application/json"']);
    });
  });

  test('caches assets for a year under a hash of their content, and answers 304 to a browser that has them', async () => {
    await withApp(undefined, async (get) => {
      const [url = ''] = /graphiql\/assets\/[^"]+page\.js/.exec((await get('/graphiql')).body) ?? [];
      const { headers } = await get(`/${url}`);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      const again = await get(`/${url}`, { 'if-none-match': String(headers.etag) });
      expect(again.statusCode).toBe(304);
    });
  });

  test('serves no other files of its folders', async () => {
    await withApp(undefined, async (get) => {
      const [url = ''] = /graphiql\/assets\/[^"]+page\.js/.exec((await get('/graphiql')).body) ?? [];
      const folder = url.slice(0, url.lastIndexOf('/'));
      const others = [
        '',
        '/',
        '/page.css',
        '/page.ts',
        '/../page.js',
        '/%2e%2e/page.js',
        '/default-query.graphql',
      ];
      for (const other of others) {
        expect((await get(`/${folder}${other}`)).statusCode).toBe(404);
      }
      expect((await get('/graphiql/assets/')).statusCode).toBe(404);
    });
  });

  test('fills in keys with any characters', async () => {
    const key = `</script><script>alert(1)</script>"'&<!--\u2028`;
    await withApp(key, async (get) => {
      const { body } = await get('/graphiql');
      expect(JSON.parse(settingsOf(body).defaultHeaders)).toEqual({ 'X-API-Key': key });
      expect(body).not.toContain('alert(1)</script>');
    });
  });

  const key = 'raas_sandbox_key';

  test.each([
    'localhost',
    'localhost:4000',
    'LOCALHOST:4000',
    'app.localhost:4000',
    '127.0.0.1:4000',
    '127.0.0.53',
    '[::1]:4000',
  ])('gives the key to a request of this machine for %s', async (host) => {
    await withApp(key, async (get) => {
      for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
        expect((await get('/graphiql', { host }, address)).body).toContain(key);
      }
    });
  });

  test.each([
    'evil.test',
    'evil.test:4000',
    'localhost.evil.test',
    '127.0.0.1.evil.test',
    '192.168.1.7:4000',
    '0.0.0.0:4000',
    'localhost@evil.test',
    'evil.test#localhost',
  ])('answers nothing to the host %j, for any caller', async (host) => {
    await withApp(
      key,
      async (get) => {
        const asset = /graphiql\/assets\/[^"]+page\.js/.exec((await get('/graphiql')).body)?.[0] ?? '';
        for (const path of ['/graphiql', `/${asset}`]) {
          const { statusCode, body, headers } = await get(path, { host });
          expect([statusCode, headers['content-type']]).toEqual([403, 'text/plain; charset=utf-8']);
          expect(body).not.toContain(key);
        }
      },
      'https://api.acme.test:8443/x',
    );
  });

  test('shows the page without the key to other machines, behind a proxy, and under PUBLIC_URL', async () => {
    const others: [Record<string, string>, string][] = [
      [{ host: 'localhost' }, '192.168.1.7'],
      [{ host: 'localhost', 'x-forwarded-for': '192.0.2.1' }, '127.0.0.1'],
      [{ host: 'localhost', forwarded: 'for=192.0.2.1' }, '127.0.0.1'],
      [{ host: 'localhost', 'x-forwarded-host': 'evil.test' }, '127.0.0.1'],
      [{ host: 'API.acme.test:8443' }, '127.0.0.1'],
    ];
    await withApp(
      key,
      async (get) => {
        for (const [headers, from] of others) {
          const { statusCode, body } = await get('/graphiql', headers, from);
          expect([statusCode, body.includes(key)]).toEqual([200, false]);
        }
      },
      'https://api.acme.test:8443/x',
    );
  });

  test('starts with operations that the graph has', async () => {
    await withApp(undefined, async (get) => {
      const { defaultQuery } = settingsOf((await get('/graphiql')).body);
      const document = parse(defaultQuery);
      expect(validate(buildSchema(readFileSync('schema/api.graphql', 'utf8')), document)).toEqual([]);
      const operations = document.definitions.map((each) => 'operation' in each && each.operation);
      expect(operations).toEqual(['query', 'subscription']);
    });
  });

  test('without a key leaves a placeholder', async () => {
    await withApp(undefined, async (get) => {
      const { defaultHeaders } = settingsOf((await get('/graphiql')).body);
      expect(JSON.parse(defaultHeaders)).toEqual({ 'X-API-Key': 'your API key' });
    });
  });
});
