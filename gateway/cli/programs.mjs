/** What npm's commands run: by its name in `dist/bin/`, the compiled module in `dist/` that starts it. */
export const PROGRAMS = {
  server: 'gateway/app/main.js',
  gateway: 'gateway/cli/standalone/main.js',
  admin: 'gateway/cli/admin/main.js',
  demo: 'gateway/cli/demo/main.js',
  certs: 'gateway/cli/certs/main.js',
  watch: 'gateway/cli/watch/main.js',
};

/** The compiled module that `npm run build` runs to keep the code of a start; it exports the promise `warmedUp`. */
export const WARM_UP = 'gateway/app/warm-up.js';

/**
 * What others import: by its folder in `dist/`, the folder of its sources. Its `index.ts` becomes one file that runs in
 * browsers and in Node, and its `tsconfig.json` says how its types are made.
 */
export const PACKAGES = { client: 'gateway/client' };
