/** Files for tools beside the pages, which browsers save: their sources, by path below `/docs/`. */
export const TOOL_FILES = { 'schema.graphql': 'schema/api.graphql', 'asyncapi.json': 'schema/asyncapi.json' };

/** The list of the pages for language models: a file beside the pages, which the server sends at `/llms.txt`. */
export const LLMS = 'llms.txt';

/** Stands in {@link LLMS} for the address of the service, without a slash at its end. */
export const ROOT_MARK = '{{root}}';
