import { describe, expect, test } from '@jest/globals';
import type { AccountId } from '../../kernel/account.ts';
import { succeed } from '../../kernel/errors/result.ts';
import type { OperationalEventsConfig } from '../../partners/tenants/operational-events.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import { createOperationalEventsService } from './operational-events.ts';

const STORED: OperationalEventsConfig = {
  url: 'https://ops.acme.test/',
  emails: ['ops@acme.test'],
  quietHours: { from: '22:00', to: '07:00' },
  timeZone: 'America/Mexico_City',
};

type Update = ReturnType<typeof createOperationalEventsService>['update'];

async function update(input: Parameters<Update>[1], stored = STORED) {
  const changes: [AccountId, OperationalEventsConfig][] = [];
  const tenantWith = (operationalEvents: OperationalEventsConfig) =>
    // The cast: the service reads nothing else of a tenant.
    ({ operationalEvents }) as Tenant;
  const service = createOperationalEventsService({
    tenants: {
      find: async () => tenantWith(stored),
      changeOperationalEvents: async (accountId, change) => {
        const changed = change(stored);
        if (changed.ok) {
          changes.push([accountId, changed.value]);
        }
        return changed.ok ? succeed(tenantWith(changed.value)) : changed;
      },
    },
    hasMail: true,
  });
  const result = await service.update('acme/sandbox', input);
  return { changes, result };
}

describe('an update of the receivers of operational events', () => {
  test.each<[string, Parameters<Update>[1], Partial<OperationalEventsConfig>]>([
    ['nothing', {}, {}],
    [
      'the URL, to its one form',
      { url: ' HTTPS://Ops.acme.test:443/x#y' },
      { url: 'https://ops.acme.test/x' },
    ],
    ['the addresses, each once', { emails: ['a@b.test', 'a@b.test'] }, { emails: ['a@b.test'] }],
    ['no addresses', { emails: null }, { emails: [] }],
    ['the time zone, back to UTC', { timeZone: null }, { timeZone: 'UTC' }],
  ])('changes %s, and leaves the rest', async (_what, input, changed) => {
    expect((await update(input)).changes).toEqual([['acme/sandbox', { ...STORED, ...changed }]]);
  });

  test('removes the URL and the quiet hours', async () => {
    const { emails, timeZone } = STORED;
    const { changes } = await update({ url: null, quietHours: null });
    expect(changes).toEqual([['acme/sandbox', { emails, timeZone }]]);
  });

  test.each<[string, Parameters<Update>[1], string]>([
    ['HTTP', { url: 'http://ops.acme.test' }, 'url'],
    ['an address with another header', { emails: ['a@b.test\nBcc: eve@evil.test'] }, 'emails.0'],
    ['an unknown time zone', { timeZone: 'Nowhere/City' }, 'timeZone'],
    ['a time that no day has', { quietHours: { from: '7', to: '08:00' } }, 'quietHours.from'],
  ])('rejects %s and changes nothing', async (_what, input, path) => {
    const { changes, result } = await update(input);
    expect(changes).toEqual([]);
    expect(result).toMatchObject({ ok: false, failures: [{ code: 'INVALID_REQUEST', path: [path] }] });
  });
});
