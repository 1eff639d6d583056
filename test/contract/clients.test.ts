/** @only-in-full */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { revokeSeededKey } from '../support/deployment.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import { PARTNER_TENANTS } from '../support/partner-tenants.ts';
import { startProviders } from '../support/providers.ts';
import { describeCall, PARTNERS_OPERATIONS } from '../support/rest-clients/described-call.ts';
import { generatePython, generateTypeScript, hasPython } from '../support/rest-clients/generate.ts';
import { pythonExchange } from '../support/rest-clients/python-exchange.ts';
import { type ClientExchange, typescriptExchange } from '../support/rest-clients/typescript-exchange.ts';
import { type Scene, useScene } from '../support/scene.ts';
import { storeStatement } from '../support/statements.ts';
import { readCases } from './fixture.ts';
import { needsNoProviders } from './live-run.ts';
import { runCase, type Target } from './run-case.ts';

// Each documented call that a typed client can make, through the clients that the recipes generate: the server answers the same bytes,
// and the client gives the program the same values. Steps that no client can make, such as a body that is no JSON, are sent as they are.

const cases = readCases('test/contract').filter((one) => !needsNoProviders(one));
/** So that a phase of document 1 fails after seconds. */
const SENDS = { PIPELINE_RETRY_SECONDS: '0', PIPELINE_SWEEP_SECONDS: '1' };
/** A client that makes fewer calls than this leaves out calls without a reason. */
const LEAST_CALLS = 800;

function describeClient(name: string, start: (url: string, scene: Scene) => Promise<ClientExchange>): void {
  describe(name, () => {
    const scene = useScene();
    const made: string[] = [];
    const succeeded = new Set<string>();
    let target: Target;

    beforeAll(async () => {
      const live = await startProviders({ deduplicates: false });
      scene.atEnd(live.close);
      const deployment = await scene.deploy({
        tenants: PARTNER_TENANTS,
        env: { ...SENDS, ...live.envOf('live') },
      });
      const { url } = await deployment.start();
      const database = await deployment.database();
      await revokeSeededKey(database);
      await storeStatement(database, 'acme/sandbox', '1999-12-31-USD');
      await storeStatement(database, 'acme/live', '1999-12-31-USD');
      const client = await start(url, scene);
      const raw = exchangeWith(url);
      const exchange: Exchange = async (request) => {
        const call = describeCall(request);
        const response = call && (await client(call));
        if (!(call && response)) {
          return raw(request);
        }
        const operation = `${call.package}/${call.operation}`;
        made.push(operation);
        if (response.status < 300) {
          succeeded.add(operation);
        }
        return response;
      };
      target = { exchange, receiver: deployment.receiver };
    });

    test.each(cases.map((one) => [`${one.file}: ${one.title}`, one] as const))('%s', (_title, one) =>
      runCase(target, one),
    );

    test('makes each call of partners with success, and most of the calls of all cases', () => {
      expect([...succeeded].toSorted()).toEqual(PARTNERS_OPERATIONS.toSorted());
      expect(made.length).toBeGreaterThan(LEAST_CALLS);
    });
  });
}

describeClient('The TypeScript client', async (url, scene) => {
  const generated = await generateTypeScript(url);
  scene.atEnd(async () => generated.remove());
  return typescriptExchange(generated, url);
});

if (await hasPython()) {
  describeClient('The Python client', async (url, scene) => {
    const generated = await generatePython(url);
    scene.atEnd(async () => generated.remove());
    const python = pythonExchange(generated, url);
    scene.atEnd(async () => python.close());
    return python.exchange;
  });
} else {
  test.skip('The Python client (skipped: this machine has no Python 3.11)', () => undefined);
}
