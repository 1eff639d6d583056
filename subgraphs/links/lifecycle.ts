/** State of a link (document 3, "Link"). */
export const LINK_STATUSES = ['created', 'opened', 'revoked'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

/**
 * Whether a link still works. It is stored, for lists by it to have an index; a link whose time is over becomes
 * `expired` within the minute (worker.ts), and lists look at the clock too until then.
 */
export const LINK_VISIBILITIES = ['active', 'expired', 'revoked'] as const;
export type LinkVisibility = (typeof LINK_VISIBILITIES)[number];

/** What moves a link. */
export type LinkAction = 'open' | 'revoke';

/** The states of a link as one table: where an action leads. The same state: nothing happens. None: it is refused. */
export const LINK_STATES: Readonly<Record<LinkStatus, Partial<Record<LinkAction, LinkStatus>>>> = {
  // Made; awaits its user.
  created: { open: 'opened', revoke: 'revoked' },
  // In use; a user may come back until it expires.
  opened: { open: 'opened', revoke: 'revoked' },
  // Final.
  revoked: {},
};

/** How a link stands with the clock and its partner. */
export type Usability = 'usable' | 'revoked' | 'expired';

/** Whether a link may be opened, checked for and asked about. It is over at the very instant of `expiresAt`. */
export function usabilityOf(link: { status: LinkStatus; expiresAt: Date }, now: Date): Usability {
  if (link.status === 'revoked') {
    return 'revoked';
  }
  return link.expiresAt <= now ? 'expired' : 'usable';
}
