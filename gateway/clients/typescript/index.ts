// `remitgraph/rest`: the layer around a client that is generated from the OpenAPI documents. It runs in browsers and in Node.

export { exactAmounts, parseExact } from './exact-amounts.ts';
export { eachItem, type Page } from './pages.ts';
export { type RestClientConfig, type RestOptions, restConfig } from './rest-config.ts';
export { type ErrorCode, type FieldIssue, RestError } from './rest-error.ts';
