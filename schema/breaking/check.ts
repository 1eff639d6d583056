import { buildSchema, findBreakingChanges, type GraphQLSchema, isInputObjectType } from 'graphql';
import { DEPRECATIONS_FILE, parseDeprecations } from '../deprecations.ts';
import { deprecationIssues } from './deprecations.ts';
import { EVENTS_FILE, eventIssues } from './events.ts';
import { isNode, type JsonNode } from './nodes.ts';
import { breakingInOpenApi } from './openapi.ts';

/** The files that clients see, by the way in which they are compared. */
const GRAPHQL = 'schema/api.graphql';
const OPENAPI = ['remittance', 'request-money', 'partner'].map((name) => `schema/openapi/${name}.json`);

/** The present version and a released one. */
interface Versions {
  /** Of `package.json`. */
  readonly version: string;
  /** The newest release, such as `v1.4.0`; undefined when nothing was released yet. */
  readonly tag: string | undefined;
  /** The present date (UTC), such as 2026-12-01. */
  readonly today: string;
  /** The text of a file now. */
  present(path: string): string;
  /** The text of a file in the release; undefined if the release does not have it. */
  released(path: string): string | undefined;
}

interface Verdict {
  readonly lines: readonly string[];
  readonly isWell: boolean;
}

/**
 * Compares the files that clients see with the last release. A breaking change is allowed if the version announces
 * it: its first number is raised, or its second one before 1.0.0 (see CHANGELOG.md). No version allows a deprecation without
 * dates, nothing that is deprecated may go before its sunset, an event keeps its body in a released version, and no version
 * of the events goes without an announced end.
 */
export function checkBreaking(versions: Versions): Verdict {
  const issues = [...checkDeprecations(versions), ...checkEvents(versions)];
  const { lines, isWell } = checkCompatible(versions);
  return { lines: [...issues, ...lines], isWell: isWell && issues.length === 0 };
}

function checkDeprecations({ tag, today, present, released }: Versions): string[] {
  const surfaces = {
    sdl: present(GRAPHQL),
    openApi: OPENAPI.map((path) => parse(present(path))),
    events: parse(present(EVENTS_FILE)),
  };
  const former = tag === undefined ? undefined : released(DEPRECATIONS_FILE);
  const dates = {
    today,
    present: parseDeprecations(present(DEPRECATIONS_FILE)),
    released: former === undefined ? [] : parseDeprecations(former),
  };
  return deprecationIssues(surfaces, dates).map((issue) => `${DEPRECATIONS_FILE}: ${issue}`);
}

function checkEvents({ tag, present, released }: Versions): string[] {
  const former = tag === undefined ? undefined : released(EVENTS_FILE);
  const issues = former === undefined ? [] : eventIssues(parse(former), parse(present(EVENTS_FILE)));
  return issues.map((issue) => `${EVENTS_FILE}: ${issue}`);
}

function checkCompatible(versions: Versions): Verdict {
  const { tag, version } = versions;
  if (tag === undefined) {
    return { lines: ['Nothing was released yet: there is no tag such as v1.2.3.'], isWell: true };
  }
  const found = [
    ...compare(versions, GRAPHQL, breakingInGraphql),
    ...OPENAPI.flatMap((path) => compare(versions, path, breakingInText)),
  ];
  if (found.length === 0) {
    return { lines: [`Nothing breaks clients of ${tag}.`], isWell: true };
  }
  const isAllowed = mayBreak(tag, version);
  const verdict = isAllowed
    ? `${version} may break clients of ${tag}.`
    : `These break clients of ${tag}. Take them back, or raise the version of package.json (it is ${version}).`;
  return { lines: [...found, verdict], isWell: isAllowed };
}

function compare(
  { tag, present, released }: Versions,
  path: string,
  breaking: (former: string, now: string) => string[],
): string[] {
  const former = released(path);
  return former === undefined
    ? [] // The release does not have the file, so no client relies on it.
    : breaking(former, present(path)).map((change) => `${path}, since ${tag}: ${change}`);
}

function breakingInGraphql(former: string, present: string): string[] {
  const [old, now] = [buildSchema(former), buildSchema(present)];
  const changes = findBreakingChanges(old, now).map(({ description }) => description);
  return [...changes, ...inputsWithOneOf(old, now)];
}

/** Inputs that take exactly one field now. graphql-js 16 does not compare it. */
function inputsWithOneOf(former: GraphQLSchema, present: GraphQLSchema): string[] {
  return Object.values(present.getTypeMap()).flatMap((type) => {
    const old = former.getType(type.name);
    const isNew = isInputObjectType(type) && type.isOneOf && isInputObjectType(old) && !old.isOneOf;
    return isNew ? [`${type.name} became @oneOf.`] : [];
  });
}

function breakingInText(former: string, present: string): string[] {
  return breakingInOpenApi(parse(former), parse(present));
}

function parse(text: string): JsonNode {
  const document: unknown = JSON.parse(text);
  if (!isNode(document)) {
    throw new TypeError('A description of an API is an object');
  }
  return document;
}

function mayBreak(tag: string, version: string): boolean {
  const [[oldMajor = 0, oldMinor = 0], [major = 0, minor = 0]] = [tag.slice(1), version].map((text) =>
    text.split('.').map(Number),
  ) as [number[], number[]];
  return major > oldMajor || (major === oldMajor && major === 0 && minor > oldMinor);
}
