import { type EventData, serializeEnvelope, type WebhookEvent } from './declare.ts';

/**
 * The versions of the catalogue that an endpoint can be pinned to, oldest first. A version is a set of bodies, one for each event. Add the
 * next number when a released body changes; remove the first one after its sunset in `schema/deprecations.json`.
 */
export const EVENT_VERSIONS: readonly number[] = [1];

/** The version of an endpoint that is created without one. */
export const NEWEST_EVENT_VERSION = Math.max(...EVENT_VERSIONS);

/**
 * Makes the data of an event for an endpoint from its newest data: of an event without an envelope, its whole body.
 * @param version that of the endpoint. If it is no longer supported, the result is the oldest body that is left
 */
export function dataFor(
  { version: newestVersion, earlier = [] }: Pick<WebhookEvent, 'version' | 'earlier'>,
  newest: EventData,
  version: number,
): EventData {
  const made = earlier.reduce(
    (next, body) =>
      next.version > version ? { version: body.version, data: body.downgrade(next.data) } : next,
    { version: newestVersion, data: newest },
  );
  return made.data;
}

/**
 * Makes the bytes of an event in its envelope for endpoints of any version, for each version once.
 * @param sent its name, of which a test may have another one, and its newest data
 */
export function bodiesOf(
  event: WebhookEvent,
  sent: { readonly event: string; readonly data: EventData },
  at: Date,
): (version: number) => string {
  const bodies = new Map<number, string>();
  return (version) => {
    const body =
      bodies.get(version) ??
      serializeEnvelope({ event: sent.event, data: dataFor(event, sent.data, version) }, at);
    bodies.set(version, body);
    return body;
  };
}
