import {
  type Command,
  existingTenant,
  optionWith,
  TENANT_OPTIONS,
  textOf,
  UsageError,
  type Values,
} from './command.ts';

const DAY_MS = 86_400_000;

export const WEBHOOK_TOTALS_COMMANDS: Readonly<Record<string, Command>> = {
  'webhooks totals': {
    summary: 'Counts of webhooks that are no longer kept, by endpoint and day',
    options: {
      ...TENANT_OPTIONS,
      days: optionWith('N', 'How far to go back, in days; by default 90.'),
    },
    required: ['tenant'],
    examples: ['webhooks totals --tenant acme --days 365 --json'],
    run: async ({ tenants, webhookTotals }, values) => {
      const { accountId } = await existingTenant(tenants, values, 'tenant');
      const since = new Date(Date.now() - daysOf(values) * DAY_MS);
      const totals = await webhookTotals(accountId, since);
      return {
        rows: totals.map(({ day, endpoint, delivered, deadLettered, attempts }) => ({
          day: day.toISOString().slice(0, 10),
          endpoint,
          delivered,
          deadLettered,
          attempts,
        })),
      };
    },
  },
};

function daysOf(values: Values): number {
  const text = textOf(values, 'days') ?? '90';
  if (!/^[1-9]\d{0,4}$/.test(text)) {
    throw new UsageError('--days takes a number of days.');
  }
  return Number(text);
}
