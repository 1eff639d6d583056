import { jestExpect } from '@jest/expect';
import { createEmptyTestResult, type TestResult } from '@jest/test-result';
import type { Circus } from '@jest/types';
import { flattenErrorStack, formatExecError, formatResultsErrors } from 'jest-message-util';
import type { Order } from './protocol.ts';
import { tidy } from './stacks.ts';

type AssertionResult = TestResult['testResults'][number];

/** For circus: what `expect` has counted, and kept to itself, becomes the test's. */
export function countAssertions(event: Circus.Event): void {
  if (event.name === 'test_start') {
    jestExpect.setState({ currentTestName: namesOf(event.test).join(' ') });
  } else if (event.name === 'test_done') {
    finishAssertions(event.test);
  }
}

function finishAssertions(test: Circus.TestEntry): void {
  const { numPassingAsserts, suppressedErrors, isExpectingAssertions } = jestExpect.getState();
  test.numPassingAsserts = numPassingAsserts;
  test.errors.push(...suppressedErrors);
  jestExpect.setState({ suppressedErrors: [] });
  const failures = jestExpect.extractExpectedAssertionsErrors();
  // That assertions are missing is no news of a test that has failed before it came to them.
  if (!isExpectingAssertions || test.errors.length === 0) {
    test.errors.push(...failures.map(({ error }) => error));
  }
}

/** A run of circus as Jest's reporters read it. */
export function toTestResult(run: Circus.RunResult, order: Order): TestResult {
  const { config, globalConfig, path } = order;
  const testResults = run.testResults.map(toAssertionResult);
  const count = (status: AssertionResult['status']) =>
    testResults.filter((result) => result.status === status).length;
  const suiteErrors = run.unhandledErrorsDetailed.map(tidy);
  const failures = formatResultsErrors(testResults, config, globalConfig, path);
  return {
    ...createEmptyTestResult(),
    ...(config.displayName && { displayName: config.displayName }),
    failureMessage: [failures, ...suiteErrors.map((error) => formatExecError(error, config, globalConfig))]
      .filter(Boolean)
      .join('\n\n'),
    numPassingTests: count('passed'),
    numFailingTests: count('failed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    skipped: testResults.length > 0 && count('pending') === testResults.length,
    ...(suiteErrors.length > 0 && {
      testExecError: { message: '', stack: suiteErrors.map(flattenErrorStack).join('\n') },
    }),
    testFilePath: path,
    // The messages say what the errors are. An error itself may hold anything: what cannot be sent to the parent, such as
    // a BigInt or a circle, would lose the results of the whole file.
    testResults: testResults.map((result) => ({ ...result, failureDetails: [] })),
  };
}

function toAssertionResult(test: Circus.TestResult): AssertionResult {
  const names = test.testPath.slice(1);
  const errors = (test.errorsDetailed as Error[]).map(tidy);
  return {
    ancestorTitles: names.slice(0, -1),
    title: names.at(-1) ?? '',
    fullName: names.join(' '),
    status: statusOf(test),
    duration: test.duration ?? null,
    ...(test.failing !== undefined && { failing: test.failing }),
    failureDetails: errors,
    failureMessages: errors.map(flattenErrorStack),
    invocations: test.invocations,
    location: test.location ?? null,
    numPassingAsserts: test.numPassingAsserts,
    retryReasons: [...test.retryReasons],
    startAt: test.startedAt ?? null,
  };
}

function statusOf({ status, errors }: Circus.TestResult): AssertionResult['status'] {
  if (status === 'skip') {
    return 'pending';
  }
  if (status === 'todo') {
    return 'todo';
  }
  return errors.length > 0 ? 'failed' : 'passed';
}

function namesOf(test: Circus.TestEntry): string[] {
  const names = [test.name];
  for (let block: Circus.DescribeBlock | undefined = test.parent; block?.parent; block = block.parent) {
    names.unshift(block.name);
  }
  return names;
}
