import { newLinkToken } from '../../kernel/database/ids.ts';
import { percentEncode } from '../../kernel/percent-encode.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import type { CreateCommand } from '../commands/create-request-money.ts';

/** Where a payer is sent to (document 2, "Create response fields"). */
interface PayerLinks {
  /** Messaging link; empty when the tenant has no messaging configuration. */
  waLink: string;
  landingLink: string;
  fundRequestLink: string;
}

type LinkSettings = Pick<Tenant, 'landingBaseUrl' | 'messagingBaseUrl' | 'messageTemplate' | 'widgetBaseUrl'>;

/** Makes the links of a money request from the tenant's settings (decisions, section 3, "Links"). */
export function mintPayerLinks(tenant: LinkSettings, command: CreateCommand): PayerLinks {
  const landingLink = tenant.landingBaseUrl
    ? `${landingPrefix(tenant.landingBaseUrl)}${percentEncode(command.referenceId)}`
    : '';
  return {
    waLink: messagingLink(tenant, command, landingLink),
    landingLink,
    fundRequestLink: tenant.widgetBaseUrl ? fundingUrl(tenant.widgetBaseUrl, newLinkToken()) : '',
  };
}

/** The `referenceId` in a `landingLink` of the tenant; none when the text is not one. */
export function referenceInLanding(
  { landingBaseUrl }: Pick<LinkSettings, 'landingBaseUrl'>,
  text: string,
): string | undefined {
  const prefix = landingBaseUrl && landingPrefix(landingBaseUrl);
  return prefix && text.startsWith(prefix) ? text.slice(prefix.length) : undefined;
}

/** The `fundRequestLink` with this token. */
export function fundingUrl(widgetBaseUrl: string, token: string): string {
  return `${widgetBaseUrl}/fund/${token}`;
}

function landingPrefix(landingBaseUrl: string): string {
  return `${landingBaseUrl}?ref=`;
}

function messagingLink(
  { messagingBaseUrl, messageTemplate }: LinkSettings,
  command: CreateCommand,
  link: string,
): string {
  if (!messagingBaseUrl || !messageTemplate) {
    return '';
  }
  const values: Readonly<Record<string, string>> = {
    name: command.requestData.name.firstName,
    amount: command.amount,
    currency: command.currency,
    link,
  };
  const message = messageTemplate.replaceAll(
    /\{(name|amount|currency|link)\}/g,
    (_match, name: string) => values[name] ?? '',
  );
  return `${messagingBaseUrl}?text=${percentEncode(message)}`;
}
