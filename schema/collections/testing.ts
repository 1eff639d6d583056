import { readFileSync } from 'node:fs';
import postman, { type Item, type Request, type VariableList } from 'postman-collection';

/** A request as Postman sends it. */
export interface PostmanRequest {
  readonly name: string;
  readonly method: string;
  /** With the values of all variables. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The requests of the collection, in its order, as Postman's own library makes them. @param values of its variables */
export function readPostmanRequests(values: Readonly<Record<string, string>>): PostmanRequest[] {
  const text = readFileSync('schema/collections/remitgraph.postman_collection.json', 'utf8');
  const variable = Object.entries(values).map(([key, value]) => ({ key, value }));
  const collection = new postman.Collection({ ...JSON.parse(text), variable });
  const requests: PostmanRequest[] = [];
  collection.forEachItem(({ name, request }: Item) => {
    requests.push(toRequest(name, request, collection.variables));
  });
  return requests;
}

function toRequest(name: string, { method, url, headers, body }: Request, variables: VariableList) {
  const fill = (text: string) => postman.Property.replaceSubstitutions(text, variables);
  const sent = headers.all().filter(({ disabled }) => disabled !== true);
  return {
    name,
    method,
    url: fill(`${url.getHost()}${url.getPathWithQuery()}`),
    headers: Object.fromEntries(sent.map(({ key, value }) => [key, fill(value)])),
    body: body?.raw === undefined ? undefined : fill(body.raw),
  };
}
