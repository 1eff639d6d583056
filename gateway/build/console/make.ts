import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { LIVE_DOCUMENTS } from '../../console/live-documents.ts';

const FOLDER = join('gateway', 'console');

/** Makes the console: one page, its scripts and its style. @param root the folder of package.json @returns the files */
export async function makeConsole(root: string): Promise<Map<string, Buffer>> {
  const source = join(root, FOLDER);
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(source, 'main.tsx'), join(source, 'styles.css')],
    outdir: join(root, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2023', 'chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    tsconfigRaw: {},
    plugins: [documentsOf(join(source, 'documents'))],
    logLevel: 'warning',
  });
  const pathOf = (file: string) => {
    const from = join(FOLDER, file);
    return String(Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === from)?.[0]);
  };
  const script = pathOf('main.tsx');
  // The page preloads the other scripts that the first screen always needs, but not those that it may need.
  const parts = (metafile.outputs[script]?.imports ?? []).filter(({ kind }) => kind === 'import-statement');
  const page = readFileSync(join(source, 'index.html'), 'utf8')
    .replace('{{styles}}', `<link rel="stylesheet" href="{{root}}${pathOf('styles.css')}">`)
    .replace(
      '{{scripts}}',
      [
        ...parts.map(({ path }) => `<link rel="modulepreload" href="{{root}}${path}">`),
        `<script type="module" src="{{root}}${script}"></script>`,
      ].join('\n    '),
    );
  const made = outputFiles.map(
    ({ path, contents }) => [relative(root, path), Buffer.from(contents)] as const,
  );
  return new Map([['index.html', Buffer.from(page)], ...made]);
}

/** Gives `console:documents` the hash of each document, and the texts of those that are followed live. */
function documentsOf(folder: string): Plugin {
  const name = 'console:documents';
  return {
    name,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: name }));
      onLoad({ filter: /./, namespace: name }, () => ({ contents: moduleOf(folder), loader: 'js' }));
    },
  };
}

function moduleOf(folder: string): string {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.graphql'))
    .map((file) => file.slice(0, -'.graphql'.length))
    .sort();
  const textOf = (name: string) => readFileSync(join(folder, `${name}.graphql`), 'utf8');
  const hashes = names.map((name) => [name, createHash('sha256').update(textOf(name)).digest('hex')]);
  const texts = LIVE_DOCUMENTS.map((name) => [name, textOf(name)]);
  return [
    `export const HASHES = ${JSON.stringify(Object.fromEntries(hashes))};`,
    `export const LIVE_TEXTS = ${JSON.stringify(Object.fromEntries(texts))};`,
  ].join('\n');
}
