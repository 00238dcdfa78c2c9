import path from 'node:path';
import type { Configuration } from '../config/configuration';
import { ConfigurationError } from '../errors/configuration-error';
import { expiryWarning } from '../http/tls/expiry';
import { loadTls, type TlsMaterial } from '../http/tls/tls-files';
import { serverSettings } from './settings';

/**
 * Reads the files of `server.tls`.
 * @throws ConfigurationError with the key whose file cannot be used
 */
export function tlsOf(configuration: Configuration): TlsMaterial | undefined {
  const { tls } = configuration.section('server', serverSettings);
  if (tls === undefined) return undefined;
  const file = (name: string): string => path.resolve(configuration.root, name);
  const { client_certificates: clients } = tls;
  try {
    return loadTls({
      certificate: file(tls.certificate),
      key: file(tls.key),
      passphrase: tls.passphrase,
      minimumVersion: tls.minimum_version ?? 'TLSv1.2',
      ...(clients === undefined
        ? {}
        : { clientCertificates: { ca: file(clients.ca), required: clients.required === true } }),
    });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(
      `${configuration.sourceOf(['server', 'tls'])}: server.tls: ${error.message}`,
      {
        cause: error,
      },
    );
  }
}

export function tlsWarnings(material: TlsMaterial | undefined): readonly string[] {
  const warning = material === undefined ? undefined : expiryWarning(material, Date.now());
  return warning === undefined ? [] : [warning];
}
