import { EVENT_VERSIONS } from '../subgraphs/webhook-events/versions.ts';
import { type Deprecation, eventVersionName, readDeprecations } from './deprecations.ts';

/** A version of the event catalogue, and its dates (UTC) once its end is announced. */
export interface EventVersion {
  readonly version: number;
  readonly deprecatedAt?: string;
  /** From this date on it may be gone. */
  readonly sunsetAt?: string;
}

/** The supported versions, oldest first, with the dates of `schema/deprecations.json`. */
export function eventVersions(
  versions: readonly number[] = EVENT_VERSIONS,
  deprecations: readonly Deprecation[] = readDeprecations(),
): EventVersion[] {
  return versions.map((version) => {
    const found = deprecations.find(({ name }) => name === eventVersionName(version));
    return found ? { version, deprecatedAt: found.deprecatedAt, sunsetAt: found.sunsetAt } : { version };
  });
}

/** Gives the versions that an endpoint can choose at a time: those whose sunset has not come. */
export function choosableVersions(
  now: () => Date,
  versions: readonly EventVersion[] = eventVersions(),
): () => number[] {
  return () =>
    versions
      .filter(({ sunsetAt }) => sunsetAt === undefined || now() < new Date(sunsetAt))
      .map(({ version }) => version);
}

/** How long a version is supported, as the end of a sentence about it. */
export function supportOf({ sunsetAt }: EventVersion): string {
  return sunsetAt === undefined ? 'has no announced end' : `is supported at least until ${sunsetAt}`;
}
