import { compareSchemas, type JsonNode, type Side } from './json-schema.ts';
import { entriesOf, isNode, recordOf, textsOf } from './nodes.ts';

/**
 * Returns the changes that break a client of the former description, each as a sentence: removed calls, answers,
 * fields and values, and requests that are no longer accepted. Additions do not count.
 * @param former and `present` are OpenAPI 3.1 documents
 */
export function breakingInOpenApi(former: JsonNode, present: JsonNode): string[] {
  const found: string[] = [];
  const documents = { former, present };
  for (const [path, methods] of entriesOf(former.paths)) {
    for (const [method, operation] of entriesOf(methods)) {
      const where = `${method.toUpperCase()} ${path}`;
      const other = recordOf(recordOf(present.paths)[path])[method];
      if (isNode(operation) && isNode(other)) {
        compareOperations(operation, other, { where, documents, found });
      } else {
        found.push(`${where}: is gone`);
      }
    }
  }
  for (const [event, webhook] of entriesOf(former.webhooks)) {
    const other = recordOf(present.webhooks)[event];
    if (isNode(webhook) && isNode(other)) {
      const [one, two] = [webhook, other].map((hook) => recordOf(recordOf(hook.post).requestBody));
      compareContents(one, two, 'response', { where: `webhook ${event}`, documents, found });
    } else {
      found.push(`webhook ${event}: is gone`);
    }
  }
  return found;
}

/** The position of a comparison, and its findings. */
interface Place {
  readonly where: string;
  readonly documents: { readonly former: JsonNode; readonly present: JsonNode };
  readonly found: string[];
}

function compareOperations(former: JsonNode, present: JsonNode, place: Place): void {
  compareParameters(former, present, place);
  const [bodyBefore, bodyNow] = [recordOf(former.requestBody), recordOf(present.requestBody)];
  if (bodyNow.required === true && bodyBefore.required !== true) {
    place.found.push(`${place.where}: a body is required now`);
  }
  compareContents(bodyBefore, bodyNow, 'request', { ...place, where: `${place.where}: body` });
  for (const [status, response] of entriesOf(former.responses)) {
    const other = recordOf(present.responses)[status];
    const where = `${place.where}: answer ${status}`;
    if (isNode(response) && isNode(other)) {
      compareContents(response, other, 'response', { ...place, where });
    } else {
      place.found.push(`${where}: is gone`);
    }
  }
  const left = securityOf(present);
  const gone = securityOf(former).filter((scheme) => !left.includes(scheme));
  place.found.push(...gone.map((scheme) => `${place.where}: takes no ${scheme} any more`));
}

function securityOf({ security }: JsonNode): string[] {
  return Array.isArray(security) ? security.flatMap((one) => Object.keys(recordOf(one))) : [];
}

function compareParameters(former: JsonNode, present: JsonNode, place: Place): void {
  const [before, now] = [parametersOf(former), parametersOf(present)];
  for (const [name, parameter] of before) {
    const other = now.get(name);
    if (other === undefined) {
      place.found.push(`${place.where}: ${name} is gone`);
      continue;
    }
    if (other.required === true && parameter.required !== true) {
      place.found.push(`${place.where}: ${name} is required now`);
    }
    compareSchemas(parameter.schema, other.schema, {
      ...place,
      where: `${place.where}: ${name}`,
      side: 'request',
      seen: new Set(),
    });
  }
  for (const [name, { required }] of now) {
    if (!before.has(name) && required === true) {
      place.found.push(`${place.where}: ${name} is new and required`);
    }
  }
}

/** By place and name: `query page`. */
function parametersOf({ parameters }: JsonNode): Map<string, JsonNode> {
  const nodes = Array.isArray(parameters) ? parameters.filter(isNode) : [];
  return new Map(nodes.map((parameter) => [textsOf([parameter.in, parameter.name]).join(' '), parameter]));
}

/** The bodies of a request or of an answer, by media type. */
function compareContents(
  former: JsonNode = {},
  present: JsonNode = {},
  side: Side,
  { where, documents, found }: Place,
): void {
  for (const [type, content] of entriesOf(former.content)) {
    const other = recordOf(present.content)[type];
    if (isNode(content) && isNode(other)) {
      compareSchemas(content.schema, other.schema, { where, documents, found, side, seen: new Set() });
    } else {
      found.push(`${where}: ${type} is gone`);
    }
  }
}
