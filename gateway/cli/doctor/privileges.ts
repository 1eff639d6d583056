import type { Config } from '../../../subgraphs/kernel/config/load.ts';
import { type Examined, type Finding, failure, warning, well } from './finding.ts';

/** Actions on the product's database that a server needs (MongoDB, "Privilege Actions"). */
export const RUNTIME_ACTIONS = [
  ...['find', 'insert', 'update', 'remove'],
  ...['changeStream', 'listCollections', 'listIndexes'],
] as const;
/** Those that migrations need beside them. */
export const MIGRATION_ACTIONS = ['createCollection', 'createIndex'] as const;

/** A privilege in the answer of `connectionStatus`. */
export interface Privilege {
  readonly resource: { readonly db?: string; readonly collection?: string; readonly anyResource?: boolean };
  readonly actions: readonly string[];
}

/** Checks what the account of `MONGODB_URI` may do. */
export async function checkRoles({ connection, config }: Examined): Promise<Finding[]> {
  const { authInfo } = await connection
    .getClient()
    .db('admin')
    .command({ connectionStatus: 1, showPrivileges: true });
  if (authInfo.authenticatedUsers.length === 0) {
    return config.NODE_ENV === 'production'
      ? [
          warning(
            'roles',
            'The connection has no account: everybody who reaches the database can change payments.',
            'Start MongoDB with authorization, and give MONGODB_URI an account with the privileges of deploy/README.md#accounts-of-the-database.',
          ),
        ]
      : [];
  }
  return [judgeRoles(authInfo.authenticatedUserPrivileges ?? [], connection.name, config)];
}

export function judgeRoles(
  privileges: readonly Privilege[],
  database: string,
  config: Pick<Config, 'MIGRATE_ON_START'>,
): Finding {
  const onDatabase = ({ resource: { db, collection, anyResource } }: Privilege) =>
    anyResource === true || ((db === database || db === '') && collection === '');
  const actions = new Set(privileges.filter(onDatabase).flatMap((one) => one.actions));
  const may = (action: string) => actions.has(action) || actions.has('anyAction');
  const needed = [...RUNTIME_ACTIONS, ...(config.MIGRATE_ON_START ? MIGRATION_ACTIONS : [])];
  const lacking = needed.filter((action) => !may(action));
  if (lacking.length > 0) {
    return failure(
      'roles',
      `The account lacks these privileges on the database ${database}: ${lacking.join(', ')}.`,
      'Grant them; deploy/README.md#accounts-of-the-database lists what each account needs.',
    );
  }
  return may('dropDatabase')
    ? warning(
        'roles',
        `The account may drop the database ${database}.`,
        'Use one with fewer privileges for servers: deploy/README.md#accounts-of-the-database.',
      )
    : well('roles', 'The account may do what servers need.');
}
