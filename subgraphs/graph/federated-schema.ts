/*
 * `@apollo/subgraph`, in a file of our own: it loads only where a subgraph is served to gateways elsewhere, and what is
 * imported by name from CommonJS has no names when a bundle imports it later.
 */
export { buildSubgraphSchema } from '@apollo/subgraph';
