// The OpenAPI descriptions, for code that must not import the REST surfaces, which import the generated schema.
export { openApiDocuments } from '../../rest-compat/openapi.ts';
export type {
  OpenApiDocument,
  OpenApiOperation,
  Parameter,
} from '../../rest-compat/shared/openapi/document.ts';
