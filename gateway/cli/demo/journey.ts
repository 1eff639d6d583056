import { followStatuses } from './live.ts';
import { newReferenceId } from './partner.ts';
import type { Stage } from './stage.ts';
import type { StepDeps } from './steps/deps.ts';
import { goLive, settle, watchStatuses } from './steps/live.ts';
import {
  createLink,
  createMoneyRequest,
  lookUpMoneyRequest,
  readGraph,
  showPayerLink,
} from './steps/money-request.ts';
import { receiveWebhooks, showLedger } from './steps/webhooks.ts';

/**
 * The whole journey of a money request, from the partner's call to the ledger.
 * @throws DemoFailure that names the failed step
 */
export async function runJourney(deps: StepDeps, stage: Stage): Promise<void> {
  const referenceId = newReferenceId();
  const moneyRequest = await stage.step('A partner asks for money, by REST', (step) =>
    createMoneyRequest(deps, referenceId, step),
  );
  await stage.step('The payer gets a link', (step) => showPayerLink(deps, moneyRequest, step));
  await stage.step('The partner looks the money request up, by REST', (step) =>
    lookUpMoneyRequest(deps, referenceId, step),
  );
  await stage.step('The user gets a widget link, by GraphQL', (step) => createLink(deps, referenceId, step));
  await stage.step('One query reads all four subgraphs', (step) => readGraph(deps, referenceId, step));
  await followJourney(deps, stage, referenceId);
  const webhooks = await stage.step("Signed webhooks reach the partner's server", (step) =>
    receiveWebhooks(deps, referenceId, step),
  );
  await stage.step('The ledger has it all', (step) => showLedger(deps, referenceId, webhooks, step));
}

async function followJourney(deps: StepDeps, stage: Stage, referenceId: string): Promise<void> {
  const live = followStatuses(deps.url, deps.partner.key);
  try {
    await stage.step('A dashboard follows statuses live, over WebSocket', (step) => goLive(deps, live, step));
    await stage.step('The payer pays: processing, then completed', (step) => settle(deps, referenceId, step));
    await stage.step('The dashboard receives both, with fields of other subgraphs', (step) =>
      watchStatuses(deps, live, referenceId, step),
    );
  } finally {
    live.close();
  }
}
