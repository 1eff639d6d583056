import type { ComponentChildren } from 'preact';
import { addressOf } from '../filters.ts';
import { formatNumber } from '../format.ts';
import { Bad, None } from '../parts/values.tsx';
import { PLATFORM_PATHS } from '../screens/paths.ts';
import { language, words } from '../settings.tsx';

interface CountProps {
  readonly of: number | null;
  /** Placeholder for an unknown number. */
  readonly otherwise?: ComponentChildren;
}

export function Count({ of, otherwise = <None /> }: CountProps) {
  return of === null ? otherwise : <span class="number">{formatNumber(of, language.value)}</span>;
}

/** A number that should be 0. */
export function BadCount({ of, otherwise }: CountProps) {
  const count = <Count of={of} otherwise={otherwise} />;
  return of === null || of === 0 ? count : <Bad>{count}</Bad>;
}

/** A number of stuck remittances, which leads to them; to those of a partner if it is given. */
export function StuckCount({ tenantId, ...count }: CountProps & { readonly tenantId?: string }) {
  const href = addressOf(PLATFORM_PATHS.stuckCalls, tenantId === undefined ? {} : { tenantId });
  return count.of ? (
    <a href={href} title={words.value.nav.stuckCalls}>
      <BadCount {...count} />
    </a>
  ) : (
    <BadCount {...count} />
  );
}
