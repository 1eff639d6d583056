/** @only-in-full */
import { beforeAll, expect, test } from '@jest/globals';
import { ROOT } from '../../../gateway/console/root.ts';
import { PLATFORM_PATHS } from '../../../gateway/console/screens/paths.ts';
import type { ConsolePage } from '../../support/console-page.ts';
import { type ConsoleStage, describeInBrowser, openConsoleStage } from '../../support/console-stage.ts';
import { makePlatformCode } from '../../support/platform-link.ts';
import { useScene } from '../../support/scene.ts';

const scene = useScene();

describeInBrowser('With the access operate, the console of the platform', () => {
  let stage: ConsoleStage;
  let person: ConsolePage;
  beforeAll(async () => {
    stage = await openConsoleStage(scene, {});
    person = stage.person;
    const at = new Date(Date.now() - 60_000);
    await (await stage.deployment.database()).collection<{ _id: string }>('remittances').insertOne({
      ...{
        _id: 'acme/sandbox|stuck-1',
        accountId: 'acme/sandbox',
        correlationId: 'stuck-1',
        userId: 'usr_1',
      },
      ...{ environment: 'sandbox', status: 'IN_PROGRESS', isOpen: true, phase: 'CIP', phaseSince: at },
      ...{ version: 1, attempts: 3, claims: 0, waitMs: 600_000 },
      ...{ nextAttemptAt: new Date(Date.now() + 600_000), waitMs: 600_000 },
      ...{ createdAt: at, updatedAt: at },
    });
    await person.signInBy(await makePlatformCode(stage.deployment, 'operate'));
  });

  test('leads from a number of stuck calls to them, ends one with a reason, and shows it in the log', async () => {
    await person.open(`${PLATFORM_PATHS.tenants.slice(ROOT.length)}?tenant=acme`);
    const link = `document.querySelector('a[href="${PLATFORM_PATHS.stuckCalls}?tenantId=acme"]')`;
    await person.page.until(`${link} !== null`);
    await person.page.evaluate(`${link}.click()`);
    await person.shows('stuck-1');
    await person.press('End');
    await person.fill('Reason', 'Ticket 812');
    await person.pressInDialog('End');
    await person.shows('Nothing matches these filters.');
    await person.open(PLATFORM_PATHS.operatorLog.slice(ROOT.length));
    await person.shows('remittances fail');
    await person.shows('Ticket 812');
    await person.shows('On call');
    expect(person.page.problems).toEqual([]);
  });
});
