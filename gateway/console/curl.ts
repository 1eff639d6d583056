/** The facts of a logged request from which its command is made. */
interface LoggedRequest {
  readonly surface: string;
  readonly method: string | null;
  /** With the names of its parameters, such as `/v1/request-money/:referenceId`. */
  readonly path: string | null;
  readonly operation: string | null;
  readonly subjects: readonly string[];
}

const PARAMETER = /:(\w+)/g;

/**
 * A command that makes the same call again, with the key of the environment variable `REMITGRAPH_API_KEY`. The log keeps no
 * bodies and no queries, so it has only the outline of a body. A parameter of the path is filled in if the log is sure of its
 * value. Values are quoted for a shell: a reference that a payer's partner chose runs nothing.
 * @param base address of the service, without a slash at its end
 */
export function curlOf(request: LoggedRequest, base: string): string {
  const { surface, method, path } = request;
  const isGraph = surface === 'GRAPHQL' && !path?.startsWith('/exports');
  const verb = isGraph ? 'POST' : (method ?? 'GET');
  const url = `${base}${isGraph ? '/graphql' : fillIn(request)}`;
  const body = isGraph ? graphBodyOf(request) : verb === 'GET' ? undefined : '{}';
  return [
    `curl -X ${verb} ${quote(url)}`,
    '-H "X-API-Key: $REMITGRAPH_API_KEY"',
    ...(body === undefined ? [] : [`-H 'content-type: application/json'`, `-d ${quote(body)}`]),
  ].join(' \\\n  ');
}

/** The path with its parameter's value, or with braces around the names of its parameters. */
function fillIn({ path, subjects }: LoggedRequest): string {
  const names = path?.match(PARAMETER) ?? [];
  const [value] = subjects;
  const isSure = names.length === 1 && subjects.length === 1 && value !== undefined;
  return (path ?? '/').replace(PARAMETER, (_text, name: string) =>
    isSure ? encodeURIComponent(value) : `{${name}}`,
  );
}

function graphBodyOf({ operation }: LoggedRequest): string {
  return JSON.stringify({
    query: '…',
    ...(operation !== null && { operationName: operation }),
    variables: {},
  });
}

/** For a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
