import type { ComponentChildren } from 'preact';
import { formatNumber } from '../format.ts';
import { Bad, None } from '../parts/values.tsx';
import { language } from '../settings.tsx';

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
