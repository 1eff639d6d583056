/** The programs of npm's commands, by their names in `dist/bin/`: the compiled module in `dist/` that starts each. */
export const PROGRAMS = {
  server: 'gateway/app/main.js',
  gateway: 'gateway/standalone/main.js',
  admin: 'gateway/cli/admin/main.js',
  demo: 'gateway/cli/demo/main.js',
  doctor: 'gateway/cli/doctor/main.js',
  certs: 'gateway/cli/certs/main.js',
  watch: 'gateway/cli/watch/main.js',
  mcp: 'gateway/cli/mcp/main.js',
  verify: 'gateway/cli/verify/main.js',
  audit: 'gateway/cli/audit/main.js',
  ledger: 'gateway/cli/ledger/main.js',
};

/**
 * Modules that are only loaded, by their names in `dist/bin/`: the module and its exports. `library` is what `import 'remitgraph'`
 * gives; the folder of its types is among {@link PACKAGES}.
 */
export const LIBRARIES = {
  library: { module: 'gateway/package/create-server.js', exports: ['createServer', 'RemitgraphError'] },
};

/** The compiled module that `npm run build` runs to keep the code of a start; it exports the promise `warmedUp`. */
export const WARM_UP = 'gateway/app/warm-up.js';

/**
 * Packages that others import, by the folder in `dist/`: the folder of its sources, whose `tsconfig.json` says how its types are made,
 * and its modules, each of which becomes one file. `browser` runs in browsers and in Node. A program that `needs` others imports them:
 * `dependencies` of the package, because a `graphql` of its own would not know its users' schemas; or the named packages, which the
 * project that imports it has. Without modules there are only types.
 */
export const PACKAGES = {
  client: { folder: 'gateway/client', modules: ['index', 'react'], platform: 'browser', needs: ['react'] },
  engine: { folder: 'gateway/engine', modules: ['index'], platform: 'node', needs: 'dependencies' },
  package: { folder: 'gateway/package', modules: [] },
  rest: { folder: 'gateway/clients/typescript', modules: ['index'], platform: 'browser' },
  webhooks: { folder: 'subgraphs/webhooks/verifiers', modules: ['verify-webhook'], platform: 'node' },
};
