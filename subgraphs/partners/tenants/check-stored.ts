import type { z } from 'zod';
import { commandLine } from '../../kernel/command-line.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { withoutUndefined } from '../../kernel/objects.ts';
import { fxRateSchema, routeSchema } from './route-schema.ts';
import type { Tenants } from './service.ts';

/**
 * Checks the stored routes and rates by the rules of a seed file: the rules may have changed since they were stored, such as
 * by a currency that was withdrawn.
 * @throws OperatorError that names every issue and the command that removes the route or rate
 */
export async function checkStoredCorridors(
  tenants: Pick<Tenants, 'allRoutes' | 'allFxRates'>,
): Promise<void> {
  const [routes, rates] = await Promise.all([tenants.allRoutes(), tenants.allFxRates()]);
  const issues = [
    ...routes.flatMap((route) => {
      const { sourceCountry, destinationCountry, destinationCurrency, payoutType } = route;
      const command = `route remove --source-country ${sourceCountry} --destination-country ${destinationCountry} --currency ${destinationCurrency} --payout-type ${payoutType}`;
      return describe(routeSchema, withoutUndefined(route), command);
    }),
    ...rates.flatMap((rate) =>
      describe(fxRateSchema, rate, `rate remove --source ${rate.source} --destination ${rate.destination}`),
    ),
  ];
  if (issues.length > 0) {
    throw new OperatorError(['The stored routes and rates are invalid:', ...issues].join('\n'));
  }
}

function describe(schema: z.ZodType, value: unknown, command: string): string[] {
  const parsed = schema.safeParse(value);
  const messages = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return messages.length === 0
    ? []
    : [`  ${messages.join('; ')}. To remove it: ${commandLine('admin', command)}`];
}
