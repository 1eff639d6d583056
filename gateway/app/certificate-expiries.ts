import type { Config } from '../../subgraphs/kernel/config/load.ts';
import {
  CERTIFICATE_FILES,
  type CertificateSettings,
  readCertificates,
  readSettingFile,
} from '../../subgraphs/kernel/config/pem-file.ts';
import { servesClients } from '../../subgraphs/kernel/config/roles.ts';

/**
 * The earliest expiry of the certificates in each file that a process of this role uses, in seconds since 1970, by setting.
 * Files are read once, as the product does: a renewed one is used from the next start.
 * @throws OperatorError naming the setting, when a file has no certificate
 */
export function certificateExpiries(
  config: CertificateSettings & Pick<Config, 'ROLE' | 'MTLS_PORT'>,
): Readonly<Record<string, number>> {
  const isUsed = (setting: string) =>
    setting.startsWith('WEBHOOK_') || (config.MTLS_PORT !== undefined && servesClients(config.ROLE));
  return Object.fromEntries(
    CERTIFICATE_FILES.filter(isUsed).flatMap((setting) => {
      const path = config[setting];
      if (path === undefined) {
        return [];
      }
      const certificates = readCertificates(setting, path, readSettingFile(setting, path));
      const ends = certificates.map(({ validTo }) => Date.parse(validTo) / 1_000);
      return [[setting, Math.min(...ends)]];
    }),
  );
}
