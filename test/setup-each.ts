import { jest } from '@jest/globals';

/**
 * A test fails when it fails twice: on SecantusDB in Python a transaction was seen, once in some 20,000 tests, to meet
 * write conflicts for minutes with nobody beside it. What failed the first time is printed.
 */
jest.retryTimes(1, { logErrorsBeforeRetry: true });
