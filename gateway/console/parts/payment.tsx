import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import type { Amount } from '../format.ts';
import { formatMoney, formatNumber } from '../format.ts';
import { language, words } from '../settings.tsx';
import type { Step } from '../steps.ts';
import { isOfWebhook } from '../timeline-items.ts';
import { Page } from './page.tsx';
import { Stepper } from './stepper.tsx';
import { Tabs } from './tabs.tsx';
import { PaymentWebhooks, Timeline, type TimelinePart, useTimeline } from './timeline.tsx';
import type { NamedValue } from './values.tsx';
import { Verdict } from './verdict.tsx';

type Entry = NonNullable<TimelinePart['page']>['nodes'][number];

interface PaymentProps {
  /** Of the operation, money request, atomic call or request by v2. */
  readonly nodeId: string;
  /** Changes when there may be more to read. */
  readonly version: string;
  /** The kind of record, with the id by which people know it. */
  readonly title: string;
  /** Null if the record has no amount. */
  readonly amount: Amount | null | undefined;
  readonly actions?: ComponentChildren;
  /** The steps of the record. @param entries of its timeline, none until it is read */
  readonly stepsOf: (entries: readonly Entry[]) => readonly Step<NamedValue>[];
  /** The labels and values of the record. */
  readonly facts: ComponentChildren;
}

const WEBHOOKS = 'webhooks';

/** A screen of a payment: the verdict first, then the steps, then the details or the webhooks. */
export function Payment({ nodeId, version, title, amount, actions, stepsOf, facts }: PaymentProps) {
  const part = useTimeline({ nodeId, version });
  const { query } = useLocation();
  const isOfWebhooks = query.tab === WEBHOOKS;
  const shown = { nodeId, version, part };
  return (
    <Page
      title={amount ? formatMoney(amount, language.value) : title}
      subject={amount ? title : undefined}
      actions={actions}
    >
      <Verdict nodeId={nodeId} version={version} problems={part.page?.problems ?? []} />
      <Stepper steps={stepsOf(part.page?.nodes ?? [])} />
      <PaymentTabs part={part} isOfWebhooks={isOfWebhooks} />
      {isOfWebhooks ? (
        <PaymentWebhooks {...shown} />
      ) : (
        <>
          {facts}
          <Timeline {...shown} />
        </>
      )}
    </Page>
  );
}

interface TabsProps {
  readonly part: TimelinePart;
  readonly isOfWebhooks: boolean;
}

function PaymentTabs({ part: { page }, isOfWebhooks }: TabsProps) {
  const { path } = useLocation();
  const { common, payment } = words.value;
  const failing = page?.problems.filter(isOfWebhook).length ?? 0;
  const webhooks = {
    name: WEBHOOKS,
    label: payment.webhooks,
    href: `${path}?tab=${WEBHOOKS}`,
    isCurrent: isOfWebhooks,
    ...(failing > 0 && {
      count: failing,
      countLabel: payment.failing(formatNumber(failing, language.value)),
      isBad: true,
    }),
  };
  const details = { name: 'details', label: common.details, href: path, isCurrent: !isOfWebhooks };
  return <Tabs label={payment.tabs} tabs={[details, webhooks]} />;
}
