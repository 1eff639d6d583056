import { commandLine } from '../../../subgraphs/kernel/command-line.ts';
import { currencyOfCountry } from '../../../subgraphs/kernel/money/iso.ts';
import { dialCodeOf } from '../../../subgraphs/kernel/person/phone.ts';
import type { Tenant, Tenants } from '../../../subgraphs/partners/tenants/service.ts';

/**
 * Missing settings of a tenant whose payers cannot pay yet, each with the command that adds it. Until then the named
 * calls fail. Empty if nothing is missing.
 */
export async function nextSteps(
  tenants: Pick<Tenants, 'allRoutes' | 'fxRate'>,
  tenant: Tenant,
): Promise<string[]> {
  return [...missingSettings(tenant), ...(await missingRoute(tenants, tenant))];
}

function missingSettings(tenant: Tenant): string[] {
  const update = commandLine('admin', `tenant update --id ${tenant.tenantId}`);
  const { country, sourceCountry, features, flows, countries, dialCodes } = tenant;
  const payerCode = sourceCountry === undefined ? undefined : dialCodeOf(sourceCountry);
  const checks: readonly [isMissing: boolean, step: string][] = [
    [
      country === undefined || !countries.includes(country),
      `It serves no country of its own, which the atomic call needs: ${update} --country CC`,
    ],
    [
      tenant.defaultCurrency === undefined,
      `It has no currency, which the atomic call needs: ${update} --currency CUR`,
    ],
    [
      sourceCountry === undefined,
      `It has no country that payers pay from, which every money request needs: ${update} --source-country CC`,
    ],
    [
      payerCode !== undefined && !dialCodes.includes(payerCode),
      `It takes no phone numbers of payers in ${sourceCountry}: ${update} --dial-codes ${[...dialCodes, payerCode].join(',')}`,
    ],
    [
      !features.includes('request-money'),
      `POST /v1/request-money is not enabled: ${update} --features request-money`,
    ],
    [flows.length === 0, `It can make no links: ${update} --flows cip,transfer,request_money`],
    [
      !(tenant.landingBaseUrl && tenant.widgetBaseUrl && tenant.attributionBaseUrl),
      `Some of its links are empty: ${update} --site https://…`,
    ],
  ];
  return checks.filter(([isMissing]) => isMissing).map(([, step]) => step);
}

async function missingRoute(
  tenants: Pick<Tenants, 'allRoutes' | 'fxRate'>,
  { country, sourceCountry, defaultCurrency }: Tenant,
): Promise<string[]> {
  if (country === undefined || sourceCountry === undefined || defaultCurrency === undefined) {
    return [];
  }
  // Not only the offered ones: a missing rate is a step of its own.
  const hasRoute = (await tenants.allRoutes()).some(
    (route) =>
      route.sourceCountry === sourceCountry &&
      route.destinationCountry === country &&
      route.destinationCurrency === defaultCurrency,
  );
  const source = currencyOfCountry(sourceCountry);
  const rate = source === undefined ? undefined : await tenants.fxRate(source, defaultCurrency);
  const between = `--source-country ${sourceCountry} --destination-country ${country} --currency ${defaultCurrency} --payout-type bank_account`;
  const pair = `--source ${source} --destination ${defaultCurrency} --rate ${defaultCurrency}_FOR_ONE_${source}`;
  return [
    ...(hasRoute
      ? []
      : [`No route reaches it from ${sourceCountry}: ${commandLine('admin', `route set ${between}`)}`]),
    ...(rate !== undefined || source === undefined
      ? []
      : [
          `There is no rate from ${source} to ${defaultCurrency}: ${commandLine('admin', `rate set ${pair}`)}`,
        ]),
  ];
}
