import { afterAll } from '@jest/globals';
import { createDeployment, type Deployment, type DeploymentOptions } from './deployment.ts';
import { openSubscriber, type Subscriber, type SubscriberOptions } from './subscriber.ts';
import { createTestCertificate, type TestCertificate } from './test-certificate.ts';

/** The processes that the tests of one file start; all of it ends with them. */
export interface Scene {
  /** A certificate for 127.0.0.1 that receivers show and deployments trust. */
  certificate(): Promise<TestCertificate>;
  deploy(options?: DeploymentOptions): Promise<Deployment>;
  /** A `graphql-transport-ws` connection. */
  subscriber(options: SubscriberOptions): Promise<Subscriber>;
  /** Has `close` called at the end, last come first. */
  atEnd(close: () => Promise<void>): void;
}

/**
 * A scene for the tests of this file. When they are over everything in it is ended; a server that does not end by
 * itself at SIGTERM with exit code 0, or that leaves a process behind, fails the file.
 */
export function useScene(): Scene {
  const ends: (() => Promise<void>)[] = [];
  const atEnd = (close: () => Promise<void>) => {
    ends.push(close);
  };
  let certificate: Promise<TestCertificate> | undefined;
  const scene: Scene = {
    atEnd,
    certificate: () => {
      certificate ??= makeCertificate(atEnd);
      return certificate;
    },
    deploy: async (options = {}) => {
      const deployment = await createDeployment(await scene.certificate(), options);
      atEnd(() => deployment.close());
      return deployment;
    },
    subscriber: async (options) => {
      const subscriber = await openSubscriber(options);
      atEnd(() => subscriber.close());
      return subscriber;
    },
  };
  afterAll(() => endAll(ends));
  return scene;
}

async function makeCertificate(atEnd: Scene['atEnd']): Promise<TestCertificate> {
  const certificate = await createTestCertificate();
  atEnd(async () => certificate.remove());
  return certificate;
}

/** Ends everything, whatever fails on the way, and then reports the failures. */
async function endAll(ends: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const end of ends.toReversed()) {
    await end().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, `Leftovers: ${failures.map(String).join('\n')}`);
  }
}
