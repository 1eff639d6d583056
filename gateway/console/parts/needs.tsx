import type { ComponentChildren } from 'preact';
import { type ConsoleAccess, may } from '../session.tsx';
import { words } from '../settings.tsx';

interface NeedsProps {
  /** The lowest access that may do it. */
  readonly access: ConsoleAccess;
  /** Name of the act, as on its button. */
  readonly act: string;
  readonly children: ComponentChildren;
}

/** An act for sessions with an access; others see which role it needs. */
export function Needs({ access, act, children }: NeedsProps) {
  const { lacks, roles } = words.value.access;
  // Names of acts that ask before they run end in an ellipsis.
  const name = act.replace(/…$/, '');
  return may(access) ? children : <small class="lacks">{lacks(name, roles[access])}</small>;
}
