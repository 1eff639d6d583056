import { internalStatusOf } from '../../subgraphs/kernel/errors/internal-status.ts';
import { presentFailuresBy } from '../request-money/errors.ts';

export { answerThrown, presentError, presentInternalError } from '../request-money/errors.ts';

/** Errors in document 2's shapes (decisions, section 3), with the statuses of the internal calls. */
export const presentFailures = presentFailuresBy(internalStatusOf);
