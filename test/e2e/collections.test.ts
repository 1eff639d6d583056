import { beforeAll, expect, test } from '@jest/globals';
import { openApiDocuments } from '../../rest-compat/openapi.ts';
import { VARIABLES } from '../../schema/collections/calls.ts';
import { type PostmanRequest, readPostmanRequests } from '../../schema/collections/testing.ts';
import { type Exchange, injectInto } from '../support/http.ts';
import { useScene } from '../support/scene.ts';
import { INTERNAL_KEY, KEYS } from '../support/seed.ts';
import { buildTestApp } from '../support/test-app.ts';

const scene = useScene();
let exchange: Exchange;
beforeAll(async () => {
  const { env } = await scene.deploy();
  const { app, close } = await buildTestApp(env);
  scene.atEnd(close);
  exchange = injectInto(app);
});

/** The documented statuses, by the document's calls in the collection's order. */
const documented = Object.values(openApiDocuments()).flatMap(({ paths }) =>
  Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ responses }) => Object.keys(responses).map(Number)),
  ),
);

const send = ({ method, url, headers, body }: PostmanRequest) =>
  exchange({ method, path: url.replace(VARIABLES.baseUrl ?? '', ''), headers, ...(body && { body }) });

test('every request of the collections is answered as documented, by somebody who has only set the keys', async () => {
  const requests = readPostmanRequests({ ...VARIABLES, apiKey: KEYS.acme, internalKey: INTERNAL_KEY });
  const answers = [];
  for (const [index, request] of requests.entries()) {
    const { status, text } = await send(request);
    answers.push({ name: request.name, status, isDocumented: documented[index]?.includes(status), text });
  }
  // The keys are taken, and so are the bodies; records with the ids of the variables are not there.
  const wrong = answers.filter(
    ({ status, isDocumented }) => !isDocumented || [400, 401, 403, 422, 500].includes(status),
  );
  // The first request has registered its user already.
  expect(wrong).toMatchObject([{ name: 'registerUserV2', text: expect.stringContaining('already used') }]);
  expect(answers.filter(({ status }) => status < 300).length).toBeGreaterThan(12);
});
