import { type Result, refuse } from '../platform/errors/refusal.ts';

/** The tenant's configuration does not have this flow. */
export function flowNotAllowed(flow: string): Result<never> {
  return refuse('FLOW_NOT_ALLOWED', `The flow ${flow} is not enabled for this partner.`, ['flow']);
}

/** Blocked users get no new links (document 3, "States and transitions"). */
export function userBlocked(): Result<never> {
  return refuse('USER_BLOCKED');
}
