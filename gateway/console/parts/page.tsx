import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface PageProps {
  readonly title: string;
  /** The record that the title is about, below it. */
  readonly subject?: string | undefined;
  /**
   * The title of the document, which the browser keeps in its history; by default the subject and the title. Screens
   * whose title has personal data must give another one.
   */
  readonly tab?: string;
  /** Beside the title. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The path of the screen that last took the focus. */
let announced = '';

/**
 * A screen with its heading. It sets the title of the document and takes the focus, so that a screen reader announces
 * the screen. When its data replace the screen that waited for them, the reader may be typing in the search: the focus stays there.
 */
export function Page({ title, subject, tab, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const name = tab ?? [subject, title].filter(Boolean).join(' · ');
  useEffect(() => {
    document.title = `${name} · remitgraph`;
  }, [name]);
  useEffect(() => {
    const { pathname } = location;
    if (pathname !== announced || document.activeElement === document.body) {
      announced = pathname;
      heading.current?.focus();
    }
  }, []);
  return (
    <>
      <header class="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
          {subject && <span class="subject"> {subject}</span>}
        </h1>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Section({ title, actions, children }: SectionProps) {
  return (
    <section aria-label={title}>
      <div class="section-head">
        <h2>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** Labels with their values, in order. An undefined value leaves its label out. */
export function Facts({
  of,
}: {
  readonly of: readonly (readonly [label: string, value: ComponentChildren])[];
}) {
  return (
    <dl class="facts">
      {of
        .filter(([, value]) => value !== undefined)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
