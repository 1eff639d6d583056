/**
 * Acts that can need the approval of another person, an administrator. CREATE_KEY includes the replacement of a key, and
 * CHANGE_WEBHOOK_URL a new and a deleted endpoint, and the URL of operational events.
 */
export const FOUR_EYES_ACTS = ['ROTATE_SECRET', 'CREATE_KEY', 'CHANGE_WEBHOOK_URL', 'BULK_REPLAY'] as const;
export type FourEyesAct = (typeof FOUR_EYES_ACTS)[number];

/**
 * The acts that need an approval where these are asked for, in a fixed order. CREATE_KEY is always one of them: with a key of its
 * own, one administrator could open a session under another name, and approve.
 */
export function withKeys(asked: readonly FourEyesAct[]): FourEyesAct[] {
  return asked.length === 0
    ? []
    : FOUR_EYES_ACTS.filter((act) => act === 'CREATE_KEY' || asked.includes(act));
}
