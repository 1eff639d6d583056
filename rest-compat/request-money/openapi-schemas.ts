import { bodyJsonSchemas } from '../../subgraphs/request-money/index.ts';
import { type OpenApiPart, object, refTo, text } from '../shared/openapi/document.ts';
import { webhookSchemas } from '../shared/openapi/webhooks.ts';
import { corridorOf, createdMoneyRequest, foundMoneyRequest } from './presenters.ts';

/** Decisions, section 3, "Error bodies". */
const CODED = object({ error: object({ code: text, message: text }) });
const ERRORS = {
  Unauthenticated: object({ message: text }),
  Refused: CODED,
  Screened: object({ code: { const: 'OFAC_HIT' }, message: text }),
  NotFound: object({ error: { const: 'not_found' }, message: text }),
  Unprocessable: object(
    {
      message: text,
      details: { type: 'array', items: object({ path: text, message: text }) },
      error: object({ code: text }),
    },
    ['error'],
  ),
};

/** The named schemas of document 2's description. @param others those of the other calls in it */
export function requestMoneySchemas(others: OpenApiPart['schemas']): Record<string, object> {
  return {
    ...bodyJsonSchemas(refTo),
    Corridor: corridorOf.schema,
    CreatedAsk: createdMoneyRequest.schema,
    FoundAsk: foundMoneyRequest.schema,
    ...others,
    ...webhookSchemas(2),
    ...ERRORS,
  };
}
