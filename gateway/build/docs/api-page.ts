import { escapeHtml } from './html.ts';
import type { PageContent } from './page.ts';
import { rootOf, type SitePage } from './site.ts';

/**
 * The page of an OpenAPI document. Swagger UI reads the document from the server that serves the page, so it is always that of
 * the running version, and sends the calls that a reader tries to the same server.
 * @param openapi path of the document, without the first slash
 */
export function apiPage({ name, label }: SitePage, openapi: string): PageContent {
  const address = `${rootOf(name)}../${openapi}`;
  const html = `<section aria-labelledby="top">
<h1 id="top">${escapeHtml(label)}</h1>
<p>Every call with its fields, answers and errors. Press “Authorize” to set a key, then “Try it out”: the call goes to
this server, with its effects. The key stays in this page until it is closed or loaded again.</p>
<p>The same as <a href="${escapeHtml(address)}">OpenAPI 3.1, JSON</a>. Shown by Swagger UI, which its authors license under the
Apache License 2.0.</p>
<noscript><p>The list of calls needs JavaScript; the JSON document has the same.</p></noscript>
</section>
<div id="try" data-document="${escapeHtml(address)}"></div>
`;
  return { name, title: label, html, headings: [], bringsMain: true };
}
