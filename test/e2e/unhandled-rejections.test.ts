import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';

/** A process of its own, for its exit code, and because rejections that nobody awaits are the whole process's. */
function run(body: string): Promise<{ code: unknown; lines: string[] }> {
  const handler = pathToFileURL('dist/gateway/app/unhandled-rejections.js').href;
  const script = `
    import { buildSchema, execute, parse } from 'graphql';
    import { createRejectionHandler } from '${handler}';
    const say = (kind) => ({ err }, message) => console.log(kind + ': ' + message + ': ' + err.message);
    process.on('unhandledRejection', createRejectionHandler({
      log: { warn: say('warn'), fatal: say('fatal') },
      close: async () => console.log('drained'),
      exit: (code) => process.exit(code),
    }));
    ${body}
    setTimeout(() => console.log('still there'), 200);
  `;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', script], (error, stdout) => {
      resolve({ code: error?.code ?? 0, lines: stdout.trim().split('\n') });
    });
  });
}

test('rejections that graphql-js leaves behind in a list do not end the process', async () => {
  const { code, lines } = await run(`
    const { errors } = await execute({
      schema: buildSchema('type Query { items: [Item!] } type Item { name: String! }'),
      document: parse('{ items { name } }'),
      rootValue: { items: [
        { name: () => new Promise((_, reject) => setTimeout(() => reject(new Error('later')), 5)) },
        { name: () => { throw new Error('at once'); } },
      ] },
    });
    console.log(errors[0].message);
  `);
  expect(lines).toEqual(['at once', 'warn: graphql.late_rejection: later', 'still there']);
  expect(code).toBe(0);
});

test('any other ends it with 1, after a drain', async () => {
  const { code, lines } = await run(`Promise.reject(new Error('a bug'));`);
  expect(lines).toEqual(['fatal: process.unhandled_rejection: a bug', 'drained']);
  expect(code).toBe(1);
});
