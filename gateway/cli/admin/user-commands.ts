import { partsOf } from '../../../subgraphs/kernel/account.ts';
import { readEraseUser } from '../../../subgraphs/users/commands/erase-user.ts';
import {
  type AdminDeps,
  type Answer,
  type Command,
  existingTenant,
  optionWith,
  requiredText,
  TENANT_OPTIONS,
  UsageError,
  type Values,
} from './command.ts';

export const USER_COMMANDS: Readonly<Record<string, Command>> = {
  'user erase': {
    summary: 'Have the worker erase the personal data of a user without open payments, for good',
    options: {
      ...TENANT_OPTIONS,
      user: optionWith('USER_ID', 'The user.'),
      reason: optionWith('TEXT', 'Why; it is kept, so do not name the user in it.'),
    },
    required: ['tenant', 'user', 'reason'],
    examples: ['user erase --tenant acme --user usr_7RsAcEd3kTqVb9xYw2Lm --reason "Request 4711"'],
    isAct: true,
    run: eraseUser,
  },
};

async function eraseUser({ tenants, erasure }: AdminDeps, values: Values): Promise<Answer> {
  const { accountId } = await existingTenant(tenants, values, 'tenant');
  const userId = requiredText(values, 'user');
  const command = readEraseUser({ reason: requiredText(values, 'reason') });
  const erased = command.ok
    ? await erasure.request({ accountId, userId }, command.value, { kind: 'OPERATOR' })
    : command;
  if (!erased.ok) {
    const [failure] = erased.failures;
    throw new UsageError(`${userId} was not erased: ${failure?.code}. ${failure?.message}`);
  }
  const { user, isNew } = erased.value;
  const { erasureRequestedAt, erasureReason: reason, erasedAt = null } = user;
  const requested = { erasureRequestedAt: null };
  return {
    rows: [{ userId, erasureRequestedAt, erasedAt }],
    ...(isNew && {
      act: {
        ...{ ...partsOf(accountId), subject: userId, before: requested, after: { erasureRequestedAt } },
        ...(reason !== undefined && { reason }),
      },
    }),
    note: erasedAt
      ? 'Erased.'
      : 'The user is blocked, and has no personal data any more. The worker erases the other records within seconds: run the command again to see whether it is done.',
  };
}
