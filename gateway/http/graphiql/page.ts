import { contentSecurityPolicy } from '../content-security-policy.ts';

/** The contents of the page. */
interface PageOptions {
  /** Key that the headers editor starts with; a placeholder when absent. */
  readonly key: string | undefined;
  /** Operations that the query editor starts with. */
  readonly query: string;
  /** Addresses of style sheets and scripts, relative to the page. */
  readonly assets: readonly string[];
}

/** Inline styles are allowed because GraphiQL's menus and dialogs insert some; its fonts stand in its style sheet. */
export const CONTENT_SECURITY_POLICY = contentSecurityPolicy({
  'style-src': "'self' 'unsafe-inline'",
  'font-src': 'data:',
});

const NO_KEY = 'your API key';

/** The page's HTML. Scripts and styles are files; only their settings, which are data, stand in the page itself. */
export function renderPage({ key, query, assets }: PageOptions): string {
  const headers = JSON.stringify({ 'X-API-Key': key ?? NO_KEY }, null, 2);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>GraphiQL · remitgraph</title>
    <link rel="icon" href="data:,">
${assets
  .filter((asset) => asset.endsWith('.css'))
  .map(styleTag)
  .join('\n')}
  </head>
  <body>
    <div id="graphiql">Loading…</div>
    <script id="settings" type="application/json">${toScriptData({ defaultQuery: query, defaultHeaders: headers })}</script>
${assets
  .filter((asset) => asset.endsWith('.js'))
  .map(scriptTag)
  .join('\n')}
  </body>
</html>
`;
}

function styleTag(href: string): string {
  return `    <link rel="stylesheet" href="${href}">`;
}

function scriptTag(src: string): string {
  return `    <script src="${src}"></script>`;
}

/** JSON that cannot close the script element around it. */
function toScriptData(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
