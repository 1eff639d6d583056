import type { LiveStatuses } from '../live.ts';
import { CREATE_MONEY_REQUEST, LIVE_STATUSES, moneyRequestInput, type StatusEvent } from '../operations.ts';
import { newReferenceId } from '../partner.ts';
import type { Step } from '../stage.ts';
import type { StepDeps } from './deps.ts';

/** Creates a further money request when the subscription has started, and shows its event. */
export async function goLive(
  { client, colors }: StepDeps,
  live: Pick<LiveStatuses, 'events' | 'started'>,
  step: Step,
): Promise<void> {
  for (const line of LIVE_STATUSES.split('\n')) {
    step.say(colors.dim(line));
  }
  await live.started;
  const referenceId = newReferenceId();
  const { requestData, ...moneyRequest } = moneyRequestInput(referenceId);
  const input = { ...moneyRequest, requestData: { ...requestData, payoutMethod: 'BANK_ACCOUNT' } };
  await client.graphql(CREATE_MONEY_REQUEST, { input }, step);
  for (const event of await live.events.collect(1, isOf(referenceId), step.signal)) {
    step.say(`a second money request is made by GraphQL: ${describe(event, colors)}`);
  }
}

/** `POST /v1/sandbox/request-money/{referenceId}/status`: a simulated payer begins, and the transfer settles. */
export async function settle(
  { client }: Pick<StepDeps, 'client'>,
  referenceId: string,
  step: Step,
): Promise<void> {
  for (const status of ['processing', 'completed']) {
    const { value } = await client.rest<{ status: string; statusDetails: string; operationId: string }>(
      {
        method: 'POST',
        path: `/v1/sandbox/request-money/${referenceId}/status`,
        body: { status },
        expected: 200,
      },
      step,
    );
    step.say(`${value.status} ${value.statusDetails}, operation ${value.operationId}`);
  }
}

/** The two changes of status, with fields of other subgraphs. */
export async function watchStatuses(
  { colors }: StepDeps,
  live: Pick<LiveStatuses, 'events'>,
  referenceId: string,
  step: Step,
): Promise<void> {
  const events = await live.events.collect(2, isOf(referenceId), step.signal);
  const statuses = events.map(({ status }) => status).join(', ');
  if (statuses !== 'PROCESSING, COMPLETED') {
    throw new Error(`the statuses were ${statuses}`);
  }
  for (const event of events) {
    if (!event.requestMoney.operation) {
      throw new Error(`the event has no operation: ${JSON.stringify(event)}`);
    }
    step.say(describe(event, colors));
  }
}

function isOf(referenceId: string): (event: StatusEvent) => boolean {
  return ({ requestMoney }) => requestMoney.referenceId === referenceId;
}

function describe(event: StatusEvent, colors: StepDeps['colors']): string {
  const { referenceId, user, operation } = event.requestMoney;
  return [
    `${colors.cyan(referenceId)} ${event.previousStatus ?? '–'} → ${colors.bold(event.status)} ${event.statusDetails}`,
    `${colors.magenta('user')} ${user.firstName} ${user.lastName}`,
    operation ? `${colors.magenta('operation')} ${operation.code} ${operation.status}` : 'no operation yet',
  ].join(' · ');
}
