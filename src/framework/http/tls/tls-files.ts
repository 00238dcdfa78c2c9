import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions, type SecureVersion } from 'node:tls';
import { ConfigurationError } from '../../errors/configuration-error';
import { systemErrorCode } from '../../errors/system-error-code';
import { openSslReason } from './openssl-reason';

/** Where the parts of a TLS server are. Paths are absolute. */
export interface TlsOptions {
  /** PEM: the certificate of the server first, then those of intermediate authorities. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
  readonly passphrase?: string | undefined;
  readonly minimumVersion: Extract<SecureVersion, 'TLSv1.2' | 'TLSv1.3'>;
  readonly clientCertificates?: ClientCertificateOptions | undefined;
}

/** The client certificates that a server requests (mutual TLS). */
export interface ClientCertificateOptions {
  /** PEM: the authorities whose certificates are accepted. */
  readonly ca: string;
  /** Whether connections without a certificate are refused. */
  readonly required: boolean;
}

/** Files that belong together and can be used. */
export interface TlsMaterial {
  readonly options: TlsOptions;
  readonly certificate: X509Certificate;
  readonly context: SecureContextOptions;
}

/**
 * The cipher suites for TLS 1.2 of Mozilla's intermediate configuration (version 5.7), all with forward secrecy and
 * authenticated encryption; and those of TLS 1.3.
 */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/**
 * Reads the files, and checks that they belong together.
 * @throws ConfigurationError that names the file, what is wrong with it, and a command that shows it
 */
export function loadTls(options: TlsOptions): TlsMaterial {
  const { certificate: certificateFile, key: keyFile, passphrase, clientCertificates } = options;
  const cert = readPem(certificateFile, 'certificate');
  const certificate = parseCertificate(cert, certificateFile);
  const key = readPem(keyFile, 'key');
  assertKey(key, options, certificate);
  const context: SecureContextOptions = {
    cert,
    key,
    ciphers: CIPHERS,
    minVersion: options.minimumVersion,
    ...(passphrase === undefined ? {} : { passphrase }),
  };
  if (clientCertificates !== undefined) {
    context.ca = readPem(clientCertificates.ca, 'certificate');
    parseCertificate(context.ca, clientCertificates.ca);
  }
  assertUsable(context, options);
  return { options, certificate, context };
}

function readPem(file: string, kind: 'certificate' | 'key'): Buffer {
  let content: Buffer;
  try {
    content = readFileSync(file);
  } catch (error) {
    throw new ConfigurationError(`${file} ${unreadable(systemErrorCode(error), file)}`, { cause: error });
  }
  const label = kind === 'certificate' ? 'CERTIFICATE' : '(?:[A-Z]+ )*PRIVATE KEY';
  if (new RegExp(`^-----BEGIN ${label}-----`, 'm').test(content.toString('latin1'))) return content;
  const command = kind === 'certificate' ? 'x509 -inform DER' : 'pkey -inform DER';
  throw new ConfigurationError(
    `${file} contains no ${kind} in PEM ("-----BEGIN ${kind === 'certificate' ? 'CERTIFICATE' : 'PRIVATE KEY'}-----"). ` +
      `If it is DER, convert it: openssl ${command} -in ${file} -out ${kind}.pem`,
  );
}

function unreadable(code: string, file: string): string {
  switch (code) {
    case 'ENOENT':
      return `does not exist. Check the path: ls -l ${file}`;
    case 'EACCES':
      return `is not readable for the user of this process. Check the permissions of it and its folders: namei -l ${file}`;
    case 'EISDIR':
      return `is a folder. Specify the file in it: ls ${file}`;
    default:
      return `cannot be read: ${code}`;
  }
}

function parseCertificate(pem: Buffer, file: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new ConfigurationError(
      `${file} contains a certificate that cannot be parsed. Inspect it with: openssl x509 -in ${file} -noout -text`,
      { cause: error },
    );
  }
}

function assertKey(
  pem: Buffer,
  { certificate: certificateFile, key: file, passphrase }: TlsOptions,
  certificate: X509Certificate,
): void {
  if (passphrase === undefined && pem.toString('latin1').includes('ENCRYPTED')) {
    throw new ConfigurationError(
      `${file} is encrypted. Set server.tls.passphrase to "\${TLS_PASSPHRASE}" and that environment variable to its passphrase, ` +
        `or decrypt it: openssl pkey -in ${file} -out key.pem`,
    );
  }
  let key;
  try {
    key = createPrivateKey({ key: pem, ...(passphrase === undefined ? {} : { passphrase }) });
  } catch (error) {
    const isEncrypted = pem.toString('latin1').includes('ENCRYPTED');
    const reason = isEncrypted
      ? 'cannot be decrypted: server.tls.passphrase is wrong'
      : 'contains a key that cannot be parsed';
    throw new ConfigurationError(
      `${file} ${reason}. Inspect it with: openssl pkey -in ${file} -noout -check`,
      {
        cause: error,
      },
    );
  }
  if (certificate.checkPrivateKey(key)) return;
  throw new ConfigurationError(
    `${file} is not the key of the certificate ${certificateFile}. Both commands must print the same: ` +
      `openssl x509 -in ${certificateFile} -noout -pubkey; openssl pkey -in ${file} -pubout`,
  );
}

/** OpenSSL refuses more, such as weak keys and broken intermediate certificates. */
function assertUsable(context: SecureContextOptions, { certificate }: TlsOptions): void {
  try {
    createSecureContext(context);
  } catch (error) {
    throw new ConfigurationError(
      `${certificate} cannot be used: ${openSslReason(error)}. Inspect it with: openssl storeutl -noout -text -certs ${certificate}`,
      { cause: error },
    );
  }
}
