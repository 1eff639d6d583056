/** What npm's commands run: by its name in `dist/bin/`, the compiled module in `dist/` that starts it. */
export const PROGRAMS = {
  server: 'gateway/app/main.js',
  gateway: 'gateway/cli/standalone/main.js',
  admin: 'gateway/cli/admin/main.js',
  demo: 'gateway/cli/demo/main.js',
  doctor: 'gateway/cli/doctor/main.js',
  certs: 'gateway/cli/certs/main.js',
  watch: 'gateway/cli/watch/main.js',
};

/** The compiled module that `npm run build` runs to keep the code of a start; it exports the promise `warmedUp`. */
export const WARM_UP = 'gateway/app/warm-up.js';

/**
 * What others import, by its folder in `dist/`: the folder of its sources, whose `tsconfig.json` says how its types are made,
 * and its module, which becomes one file. `browser` runs in browsers and in Node. What `needs` others imports them, as
 * dependencies of the package: a `graphql` of its own would not know its users' schemas.
 */
export const PACKAGES = {
  client: { folder: 'gateway/client', module: 'index', platform: 'browser' },
  engine: { folder: 'gateway/engine', module: 'index', platform: 'node', needs: 'dependencies' },
  webhooks: { folder: 'subgraphs/platform/webhooks/verifiers', module: 'verify-webhook', platform: 'node' },
};
