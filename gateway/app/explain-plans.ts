import type { RequestContext } from '../../subgraphs/kernel/principal.ts';
import { type EngineHooks, explainPlan } from '../engine/index.ts';

/**
 * Hooks that add the plan of an operation, as text, to the extensions of its result if the request asks for it. The
 * plan shows subgraphs and their documents. It is computed for each request, so this is for development only.
 */
export function explainPlans(supergraphSdl: string): EngineHooks<RequestContext> {
  return {
    async onOperation({ document, operationName }, context, next) {
      const result = await next(context);
      if (context.wantsPlan === true && 'data' in result) {
        const plan = await explainPlan(supergraphSdl, document, operationName);
        result.extensions = { ...result.extensions, plan };
      }
      return result;
    },
  };
}
