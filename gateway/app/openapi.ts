// What a server describes of itself, for those that may not import the REST surfaces: these import the generated schema.
export { openApiDocuments } from '../../rest-compat/openapi.ts';
export type {
  OpenApiDocument,
  OpenApiOperation,
  Parameter,
} from '../../rest-compat/shared/openapi/document.ts';
