/** What npm's commands run: by its name in `dist/bin/`, the compiled module in `dist/` that starts it. */
export const PROGRAMS = {
  server: 'gateway/app/main.js',
  gateway: 'gateway/cli/standalone/main.js',
  admin: 'gateway/cli/admin/main.js',
  demo: 'gateway/cli/demo/main.js',
  certs: 'gateway/cli/certs/main.js',
};
