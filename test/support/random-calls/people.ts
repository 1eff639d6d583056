import { deepStrictEqual } from 'node:assert/strict';
import { environmentOf } from '../../../subgraphs/kernel/account.ts';
import { checkAnswer, graph, rest } from './calls.ts';
import { type Link, type Model, newAmount, type Operation, pickOrMake, type World } from './model.ts';
import { referenceOf } from './money.ts';

const PERSON = {
  ...{ firstName: 'Ana', lastName: 'Ruiz', address1: 'Reforma 1' },
  ...{ countryCode: 'MX', city: 'CDMX', state: 'CMX' },
};
const ACCOUNT = { number: '032180000118359719', country: 'MX', currency: 'MXN' };

const phoneOf = (world: World) =>
  pickOrMake(world.pool.phones, world, (nth) => `+5255${String(10_000_000 + nth)}`);
const emailOf = (phone: string) => `u${phone.slice(1)}@mail.test`;

/** The same phone number and email in another account are another user. */
const register: Operation = async (world, model) => {
  const phoneNumber = phoneOf(world);
  const email = emailOf(phoneNumber);
  const answer = await rest(world, model, ['POST', '/v1/user/register-v2'], {
    ...PERSON,
    phoneNumber,
    email,
  });
  if (model.users.has(phoneNumber)) {
    checkAnswer(answer, 400, { code: 'ERROR_REQUEST_MONEY_FULL' });
    return;
  }
  const { userId } = checkAnswer<{ readonly userId: string }>(answer, 200);
  model.users.set(phoneNumber, { userId, phone: phoneNumber, email });
};

const findUser: Operation = async (world, model) => {
  const phone = phoneOf(world);
  const query = world.random.chance(50)
    ? `phoneNumber=${encodeURIComponent(phone)}`
    : `email=${encodeURIComponent(emailOf(phone))}`;
  const answer = await rest(world, model, ['GET', `/v1/user/token-v2?${query}`]);
  const known = model.users.get(phone);
  checkAnswer(answer, known ? 200 : 404, known && { userId: known.userId });
};

/** A user of any account, and whether the caller's account has it. */
function anyUser(world: World) {
  const owner = world.random.pick(world.models);
  const users = [...owner.users.values()];
  return { owner, user: users.length === 0 ? undefined : world.random.pick(users) };
}

const READ = `query ($id: ID!, $text: String!, $phone: String!) {
  user(id: $id) { id phoneNumber }
  users { totalCount }
  found: users(where: { phoneNumber: $phone }) { nodes { id } }
  search(text: $text) { node { ... on User { id } } }
}`;

const readUser: Operation = async (world, model) => {
  const { owner, user } = anyUser(world);
  if (!user) {
    return;
  }
  const data = await graph<object>(world, model, READ, {
    id: user.userId,
    text: user.userId,
    phone: user.phone,
  });
  const namesake = model.users.get(user.phone);
  deepStrictEqual(data, {
    user: owner === model ? { id: user.userId, phoneNumber: user.phone } : null,
    users: { totalCount: model.users.size + model.named.size },
    found: { nodes: namesake ? [{ id: namesake.userId }] : [] },
    search: owner === model ? [{ node: { id: user.userId } }] : [],
  });
};

const addAccount: Operation = async (world, model) => {
  const { owner, user } = anyUser(world);
  const path = `/v1/user/payment-methods/ubn/${user?.userId}`;
  checkAnswer(await rest(world, model, ['POST', path], ACCOUNT), user && owner === model ? 200 : 404);
};

/** A user of another partner in the same environment has an answer of its own; one of the other environment is unknown. */
const listOperations: Operation = async (world, model) => {
  const { owner, user } = anyUser(world);
  const answer = await rest(world, model, ['GET', `/v1/user/operations/${user?.userId}`]);
  const isMismatch = environmentOf(owner.accountId) === environmentOf(model.accountId);
  checkAnswer(answer, user === undefined ? 404 : owner === model ? 200 : isMismatch ? 403 : 404);
};

/** An operation of request-money-v2, whose correlationId other accounts use too. */
const ask: Operation = async (world, model) => {
  const user = [...model.users.values()].at(-1);
  const correlationId = referenceOf(world);
  if (!user) {
    return;
  }
  const recipientAmount = newAmount(model, world);
  const body = {
    ...{ requestTo: '+13055550100', correlationId, recipientAmount, recipientCurrency: 'MXN' },
    destinationPaymentMethod: { type: 'UBN', ...ACCOUNT },
  };
  const path = `/v1/user/operations/request-money-v2/${user.userId}`;
  const answer = await rest(world, model, ['POST', path], body);
  if (model.operations.has(correlationId)) {
    checkAnswer(answer, 400);
    return;
  }
  checkAnswer(answer, 200, { correlationId });
  model.operations.set(correlationId, recipientAmount);
};

const readOperation: Operation = async (world, model) => {
  const id = referenceOf(world);
  const query = 'query ($id: ID!) { operation(id: $id) { correlationId recipient { amount } } }';
  const amount = model.operations.get(id);
  deepStrictEqual(await graph<object>(world, model, query, { id }), {
    operation: amount === undefined ? null : { correlationId: id, recipient: { amount: String(amount) } },
  });
};

const createLink: Operation = async (world, model) => {
  const referenceId = world.random.pick(world.pool.people);
  const answer = await rest(world, model, ['POST', '/partner/links'], { flow: 'transfer', referenceId });
  const { data } = checkAnswer<{ readonly data: { readonly linkId: string } }>(answer, 201);
  model.links.set(data.linkId, { linkId: data.linkId, referenceId, status: 'created' });
  model.named.add(referenceId);
};

/** A link of any account; undefined unless the caller's account has it. */
function anyLink(world: World) {
  const owner = world.random.pick(world.models);
  const links = [...owner.links.values()];
  return { owner, link: links.length === 0 ? undefined : world.random.pick(links) };
}

const READ_LINK = `query ($id: ID!, $referenceId: String!) {
  link(id: $id) { referenceId status }
  links { totalCount }
  named: links(where: { referenceId: $referenceId }) { totalCount }
}`;

const readLink: Operation = async (world, model) => {
  const { owner, link } = anyLink(world);
  if (!link) {
    return;
  }
  const { linkId: id, referenceId, status } = link;
  const shown = { referenceId, status: status.toUpperCase() };
  const named = [...model.links.values()].filter((one) => one.referenceId === referenceId).length;
  const expected = {
    link: owner === model ? shown : null,
    links: { totalCount: model.links.size },
    named: { totalCount: named },
  };
  deepStrictEqual(await graph<object>(world, model, READ_LINK, { id, referenceId }), expected);
};

/** An act on a link that has an effect for its own account alone. @param path of the act, for the id of the link */
function changing(to: Link['status'], path: (linkId: string) => string): Operation {
  return async (world, model) => {
    const { owner, link } = anyLink(world);
    if (link?.status !== 'created') {
      return;
    }
    const answer = await rest(world, model, ['POST', path(link.linkId)]);
    checkAnswer(answer, statusFor(path(link.linkId), { isOwn: owner === model, model }));
    if (owner === model && answer.status === 200) {
      link.status = to;
    }
  };
}

function statusFor(path: string, { isOwn, model }: { isOwn: boolean; model: Model }): number {
  const isForbidden = path.startsWith('/v1/sandbox/') && environmentOf(model.accountId) === 'live';
  return isForbidden ? 403 : isOwn ? 200 : 404;
}

/** Each with its weight. */
export const PEOPLE_OPERATIONS: Readonly<Record<string, readonly [weight: number, operation: Operation]>> = {
  register: [8, register],
  findUser: [6, findUser],
  readUser: [8, readUser],
  addAccount: [4, addAccount],
  listOperations: [4, listOperations],
  ask: [6, ask],
  readOperation: [5, readOperation],
  createLink: [6, createLink],
  readLink: [8, readLink],
  openLink: [4, changing('opened', (linkId) => `/v1/sandbox/links/${linkId}/open`)],
  revokeLink: [4, changing('revoked', (linkId) => `/partner/links/${linkId}/revoke`)],
};
