import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openApiDocuments } from '../../rest-compat/openapi.ts';
import type { RawRequest, RawResponse } from '../support/http.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const descriptions = Object.values(openApiDocuments());

interface DescribedCall {
  readonly id: string;
  readonly operation: {
    readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
    readonly responses: Readonly<
      Record<string, { readonly content?: Readonly<Record<string, { schema: object }>> }>
    >;
  };
}

const calls = descriptions.flatMap((document, index) => {
  ajv.addSchema({ $id: `document-${index}`, components: document.components });
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replaceAll('.', '[.]').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      call: { id: `document-${index}`, operation } as DescribedCall,
    })),
  );
});

/** The differences between this call and the OpenAPI descriptions; calls that no description has are not looked at. */
export function checkDescription(request: RawRequest, response: RawResponse): string[] {
  const path = request.path.split('?')[0] ?? '';
  // Of two that fit, the later one has an end of its own, such as `.csv`.
  const found = calls.findLast((one) => one.method === request.method && one.path.test(path));
  if (found === undefined) {
    return [];
  }
  const { call } = found;
  const described = call.operation.responses[response.status];
  if (described === undefined) {
    return [`the description has no status ${response.status}`];
  }
  const answer = check(call, described.content ?? {}, 'the answer', response.text);
  const isAccepted = response.status < 300;
  const requestBody = isAccepted && request.body !== undefined ? call.operation.requestBody : undefined;
  return requestBody === undefined
    ? answer
    : [...answer, ...check(call, requestBody.content, 'the accepted body', String(request.body))];
}

function check(
  { id }: Pick<DescribedCall, 'id'>,
  content: Readonly<Record<string, { readonly schema: object }>>,
  what: string,
  text: string,
): string[] {
  const [[type, { schema }] = ['application/json', { schema: {} }]] = Object.entries(content);
  const validate = compile(id, schema);
  return validate(type === 'application/json' ? JSON.parse(text) : text)
    ? []
    : [`${what} is not as described: ${ajv.errorsText(validate.errors)}`];
}

const compiled = new Map<string, ValidateFunction>();

/** References are within the document that the schema stands in. */
function compile(id: string, schema: object): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/', `"${id}#/`);
  const known = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
  compiled.set(text, known);
  return known;
}
