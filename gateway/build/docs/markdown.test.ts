import { expect, test } from '@jest/globals';
import { renderMarkdown, slugOf } from './markdown.ts';
import type { Target } from './site.ts';

const toSelf = (href: string): Target => ({ href });

test('headings have the same ids as on the repository’s site', () => {
  expect(slugOf('1. A server and a key')).toBe('1-a-server-and-a-key');
  expect(slugOf('`LEGACY_REFERENCE_EXISTS`')).toBe('legacy_reference_exists');
  const { headings, title } = renderMarkdown('# A & B\n\n## Same\n\n## Same\n', toSelf);
  expect(title).toBe('A & B');
  expect(headings.map(({ id, depth }) => [id, depth])).toEqual([
    ['a--b', 1],
    ['same', 2],
    ['same-1', 2],
  ]);
});

test('text, code and addresses are escaped', () => {
  const { html } = renderMarkdown(
    '# T\n\na < b & `<script>` [x](<a"b>)\n\n```sh\n<b>\n```\n',
    ({ length }) => ({ href: `"${length}` }),
  );
  expect(html).toContain('a &lt; b &amp; <code>&lt;script&gt;</code> <a href="&quot;3">x</a>');
  expect(html).toContain('<code>&lt;b&gt;\n</code>');
});

test('a file of the repository is shown without a link', () => {
  const { html } = renderMarkdown('# T\n\n[the code](x.ts)\n', () => ({ file: 'a/x.ts' }));
  expect(html).toContain('the code (<code>a/x.ts</code>)');
  expect(html).not.toContain('<a href="x');
});

test('HTML in a source is an error; a comment is left out', () => {
  expect(() => renderMarkdown('# T\n\n<b>x</b>\n', toSelf)).toThrow('HTML in a source: <b>');
  expect(() => renderMarkdown('# T\n\n<script>alert(1)</script>\n', toSelf)).toThrow('HTML in a source');
  expect(renderMarkdown('<!-- made -->\n# T\n', toSelf).html).not.toContain('made');
});

test('scrollable parts are reachable by keyboard; header cells have a scope', () => {
  const { html } = renderMarkdown('# T\n\n| a |\n|---|\n| b |\n\n```json\n{}\n```\n', toSelf);
  expect(html).toContain('<div class="table" tabindex="0" role="group"');
  expect(html).toContain('<th scope="col">a</th>');
  expect(html).toContain('<pre tabindex="0" role="group" aria-label="Example, json">');
});

test('a page without a heading first is an error', () => {
  expect(() => renderMarkdown('text\n', toSelf)).toThrow('begins with a heading');
  expect(() => renderMarkdown('## second\n', toSelf)).toThrow('begins with a heading');
});
