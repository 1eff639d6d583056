import { describe, expect, test } from '@jest/globals';
import { type ExecutionResult, GraphQLError } from 'graphql';
import { createSharedEvents } from './shared-events.ts';

function createShared() {
  let time = 0;
  let made = 0;
  const share = createSharedEvents(() => time);
  const make = async (): Promise<ExecutionResult> => {
    made += 1;
    return { data: { made } };
  };
  return {
    share,
    make,
    made: () => made,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

describe('the result of an event', () => {
  test('is made once for the same event and key, and is the same object', async () => {
    const { share, make, made } = createShared();
    const event = {};
    const results = await Promise.all([share(event, 'a', make), share(event, 'a', make)]);
    expect(results[0]).toBe(results[1]);
    expect(await share(event, 'a', make)).toBe(results[0]);
    expect(made()).toBe(1);
  });

  test('is made for each key and each event', async () => {
    const { share, make, made } = createShared();
    const event = {};
    await Promise.all([share(event, 'a', make), share(event, 'b', make), share({}, 'a', make)]);
    expect(made()).toBe(3);
  });

  test('is made again after a second', async () => {
    const { share, make, made, pass } = createShared();
    const event = {};
    await share(event, 'a', make);
    pass(999);
    await share(event, 'a', make);
    expect(made()).toBe(1);
    pass(1);
    await share(event, 'a', make);
    expect(made()).toBe(2);
  });

  test('with errors, and a failure, goes only to subscribers that already wait for it', async () => {
    const { share, make, made } = createShared();
    const event = {};
    const withErrors = async () => ({ errors: [new GraphQLError('away')] });
    const [first, second] = await Promise.all([share(event, 'a', withErrors), share(event, 'a', make)]);
    expect(first).toBe(second);
    const broken = () => Promise.reject(new Error('broken'));
    const failed = share(event, 'a', broken);
    await expect(share(event, 'a', make)).rejects.toThrow('broken');
    await expect(failed).rejects.toThrow('broken');
    expect(made()).toBe(0);
    expect(await share(event, 'a', make)).toEqual({ data: { made: 1 } });
  });
});
