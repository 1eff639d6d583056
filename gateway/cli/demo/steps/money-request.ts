import { parseUrl } from '../../../../subgraphs/kernel/parse-url.ts';
import {
  CREATE_LINK,
  type CreatedLink,
  FEDERATED_READ,
  type FederatedRead,
  moneyRequestInput,
  userReferenceOf,
} from '../operations.ts';
import type { Step } from '../stage.ts';
import type { StepDeps } from './deps.ts';

/** The answer to a create, as far as the journey needs it (document 2, "Create response fields"). */
interface CreatedMoneyRequest {
  readonly referenceId: string;
  readonly waLink: string;
  readonly landingLink: string;
  readonly fundRequestLink: string;
}

/** `POST /v1/request-money`, with its exact answer. */
export async function createMoneyRequest(
  { client }: StepDeps,
  referenceId: string,
  step: Step,
): Promise<CreatedMoneyRequest> {
  const body = moneyRequestInput(referenceId);
  const { text, value } = await client.rest<CreatedMoneyRequest>(
    { method: 'POST', path: '/v1/request-money', body, expected: 201 },
    step,
  );
  step.say(text);
  return value;
}

/** The links that the partner hands on. */
export async function showPayerLink(
  { colors }: StepDeps,
  moneyRequest: CreatedMoneyRequest,
  step: Step,
): Promise<void> {
  const links = [
    ['to pay', moneyRequest.fundRequestLink],
    ['landing page', moneyRequest.landingLink],
    ['message', moneyRequest.waLink],
  ] as const;
  for (const [name, link] of links) {
    if (parseUrl(link) === undefined) {
      throw new Error(`the link "${name}" is not an address: ${link}`);
    }
    step.say(`${name.padEnd(14)}${colors.underline(link)}`);
  }
}

/** `GET /v1/request-money/{referenceId}`, with its exact answer. */
export async function lookUpMoneyRequest(
  { client }: StepDeps,
  referenceId: string,
  step: Step,
): Promise<void> {
  const { text } = await client.rest(
    { method: 'GET', path: `/v1/request-money/${referenceId}`, expected: 200 },
    step,
  );
  step.say(text);
}

/** A link for the user of the money request, through GraphQL. */
export async function createLink(
  { client, colors }: StepDeps,
  referenceId: string,
  step: Step,
): Promise<void> {
  const { name } = moneyRequestInput(referenceId).requestData;
  const input = { flow: 'TRANSFER', referenceId: userReferenceOf(referenceId), userData: { name } };
  const { createLink: payload } = await client.graphql<CreatedLink>(CREATE_LINK, { input }, step);
  if (!payload.link) {
    throw new Error(`the link was not made: ${JSON.stringify(payload.userErrors)}`);
  }
  const { flow, status, url } = payload.link;
  step.say(`${colors.cyan('mutation createLink')} ${flow} ${status} ${colors.underline(url)}`);
}

/** One query, a field of each of the four subgraphs. */
export async function readGraph(
  { client, colors }: StepDeps,
  referenceId: string,
  step: Step,
): Promise<void> {
  for (const line of FEDERATED_READ.split('\n')) {
    step.say(colors.dim(line));
  }
  const { requestMoney } = await client.graphql<FederatedRead>(FEDERATED_READ, { referenceId }, step);
  const { user } = requestMoney;
  const [link] = user.links.nodes;
  if (!link || user.firstName !== moneyRequestInput(referenceId).requestData.name.firstName) {
    throw new Error(`the graph does not know the user or the link: ${JSON.stringify(requestMoney)}`);
  }
  const fields = [
    ['request-money', `requestMoney ${requestMoney.referenceId} ${requestMoney.status}`],
    ['users', `user ${user.firstName} ${user.lastName}, identity check ${user.cipStatus}`],
    ['links', `user.links ${user.links.totalCount}: ${link.flow} ${link.status}`],
    ['operations', `user.operations ${user.operations.totalCount}: the payer has not begun`],
  ] as const;
  for (const [subgraph, field] of fields) {
    step.say(`${colors.magenta(subgraph.padEnd(14))} ${field}`);
  }
}
