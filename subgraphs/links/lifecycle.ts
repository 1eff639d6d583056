/** State of a link (document 3, "Link"). */
export const LINK_STATUSES = ['created', 'opened', 'revoked'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

/**
 * Whether a link still works. It is stored so that lists by it have an index. An expired link becomes `expired` within a
 * minute (expire-links.ts); until then lists check the clock too.
 */
export const LINK_VISIBILITIES = ['active', 'expired', 'revoked'] as const;
export type LinkVisibility = (typeof LINK_VISIBILITIES)[number];

/** The visibilities in lists of links: a revoked link has a status for that. */
export const LISTED_VISIBILITIES = ['active', 'expired'] as const;
export type ListedVisibility = (typeof LISTED_VISIBILITIES)[number];

/** The actions that move a link. */
type LinkAction = 'open' | 'revoke';

/**
 * The states of a link as one table: the state that an action leads to. With the same state nothing happens; with none it
 * fails.
 */
export const LINK_STATES: Readonly<Record<LinkStatus, Partial<Record<LinkAction, LinkStatus>>>> = {
  // Created; waits for its user.
  created: { open: 'opened', revoke: 'revoked' },
  // In use; a user may come back until it expires.
  opened: { open: 'opened', revoke: 'revoked' },
  // Final.
  revoked: {},
};

/** Whether a link still works: it is neither expired nor revoked. */
type Usability = 'usable' | 'revoked' | 'expired';

/** Whether a link may be opened, and its user may be checked and have data requests. It ends exactly at `expiresAt`. */
export function usabilityOf(link: { status: LinkStatus; expiresAt: Date }, now: Date): Usability {
  if (link.status === 'revoked') {
    return 'revoked';
  }
  return link.expiresAt <= now ? 'expired' : 'usable';
}
