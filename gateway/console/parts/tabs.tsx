import { formatNumber } from '../format.ts';
import { language } from '../settings.tsx';

/** A part of a screen, which has an address of its own. */
export interface Tab {
  readonly name: string;
  readonly label: string;
  readonly href: string;
  readonly isCurrent: boolean;
  /** Undefined while it is unknown: its place stays free, so that nothing moves when it comes. */
  readonly count?: number | undefined;
  /** The number with what it counts, if that is not clear from the label. */
  readonly countLabel?: string;
  /** Whether the number is one of problems. */
  readonly isBad?: boolean;
}

interface TabsProps {
  /** For screen readers. */
  readonly label: string;
  readonly tabs: readonly Tab[];
}

/** Tabs are links: each can be opened in a new tab of the browser, bookmarked and reached by keyboard. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {tabs.map((tab) => (
          <li key={tab.name}>
            <a href={tab.href} aria-current={tab.isCurrent ? 'page' : undefined}>
              {tab.label}
              {'count' in tab && <Count of={tab} />}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Count({ of: { count, countLabel, isBad = false } }: { readonly of: Tab }) {
  const text = count === undefined ? '' : formatNumber(count, language.value);
  return (
    <>
      {' '}
      <span class={`count ${isBad && count ? 'bad' : ''}`} {...(countLabel && { title: countLabel })}>
        {countLabel === undefined ? (
          text
        ) : (
          <>
            <span aria-hidden="true">{text}</span>
            <span class="hidden">{countLabel}</span>
          </>
        )}
      </span>
    </>
  );
}
