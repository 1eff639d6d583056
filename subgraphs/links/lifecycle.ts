/** State of a link (document 3, "Link"). */
export const LINK_STATUSES = ['created', 'opened', 'revoked'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

/**
 * Whether a link still works. It is stored so that lists by it have an index. A link whose time is over becomes
 * `expired` within the minute (expire-links.ts), and lists look at the clock too until then.
 */
export const LINK_VISIBILITIES = ['active', 'expired', 'revoked'] as const;
export type LinkVisibility = (typeof LINK_VISIBILITIES)[number];

/** The visibilities that links are listed by: a revoked link has a status for that. */
export const LISTED_VISIBILITIES = ['active', 'expired'] as const;
export type ListedVisibility = (typeof LISTED_VISIBILITIES)[number];

/** What moves a link. */
export type LinkAction = 'open' | 'revoke';

/** The states of a link as one table: where an action leads. The same state: nothing happens. None: it fails. */
export const LINK_STATES: Readonly<Record<LinkStatus, Partial<Record<LinkAction, LinkStatus>>>> = {
  // Made; awaits its user.
  created: { open: 'opened', revoke: 'revoked' },
  // In use; a user may come back until it expires.
  opened: { open: 'opened', revoke: 'revoked' },
  // Final.
  revoked: {},
};

/** Whether a link still works, by the clock and by its partner. */
export type Usability = 'usable' | 'revoked' | 'expired';

/** Whether a link may be opened, and its user may be checked and have data requests. It is over at `expiresAt` exactly. */
export function usabilityOf(link: { status: LinkStatus; expiresAt: Date }, now: Date): Usability {
  if (link.status === 'revoked') {
    return 'revoked';
  }
  return link.expiresAt <= now ? 'expired' : 'usable';
}
