import { readFileSync, writeFileSync } from 'node:fs';
import { expiryWarning } from '../../../../src/framework/http/tls/expiry';
import { loadTls, type TlsMaterial, type TlsOptions } from '../../../../src/framework/http/tls/tls-files';
import { CertificateAuthority } from '../../../factories/http/certificates';
import { withPrograms } from '../../../factories/processes/programs';

const { describe, it } = withPrograms('openssl');

let authority: CertificateAuthority;
const load = (options: Partial<TlsOptions>): TlsMaterial => {
  const { certificate, key } = authority.issue('default');
  return loadTls({ certificate, key, minimumVersion: 'TLSv1.2', ...options });
};
/** Writes a file of the authority's folder. */
const file = (name: string, content: string | Buffer): string => {
  writeFileSync(authority.path(name), content);
  return authority.path(name);
};

describe('The files of a certificate', () => {
  beforeAll(() => (authority = new CertificateAuthority()));
  afterAll(() => authority.remove());

  it('are loaded, also with an encrypted key and a chain', () => {
    const { certificate, key } = authority.issue('chain');
    const chain = file('full.pem', readFileSync(certificate, 'utf8') + authority.pem);
    const encrypted = authority.path('encrypted.key');
    authority.run('pkey', '-in', key, '-aes256', '-passout', 'pass:secret', '-out', encrypted);
    const material = load({ certificate: chain, key: encrypted, passphrase: 'secret' });
    expect(material.certificate.subject).toBe('CN=localhost');
    expect(() => load({ certificate: chain, key: encrypted })).toThrow(
      /encrypted\.key is encrypted\. Set server\.tls\.passphrase to "\$\{TLS_PASSPHRASE\}"/,
    );
    expect(() => load({ certificate: chain, key: encrypted, passphrase: 'wrong' })).toThrow(
      /encrypted\.key cannot be decrypted: server\.tls\.passphrase is wrong\./,
    );
  });

  it('are rejected if the key is that of another certificate', () => {
    const { key } = authority.issue('other');
    expect(() => load({ key })).toThrow(
      /other\.key is not the key of the certificate .*default\.pem\. Both commands must print the same: openssl x509/,
    );
  });

  it('are rejected if one is missing, a folder, or of another format', () => {
    const { certificate, key } = authority.issue('der');
    authority.run('x509', '-in', certificate, '-outform', 'DER', '-out', authority.path('der.crt'));
    const missing = authority.path('missing.pem');
    expect(() => load({ certificate: missing })).toThrow(
      /missing\.pem does not exist\. Check the path: ls -l/,
    );
    expect(() => load({ key: missing })).toThrow(/missing\.pem does not exist/);
    expect(() => load({ certificate: authority.folder })).toThrow(/is a folder\. Specify the file in it: ls/);
    expect(() => load({ certificate: authority.path('der.crt') })).toThrow(
      /der\.crt contains no certificate in PEM .* convert it: openssl x509 -inform DER -in/,
    );
    expect(() => load({ key: certificate })).toThrow(/der\.pem contains no key in PEM/);
    expect(() => load({ certificate: key })).toThrow(/der\.key contains no certificate in PEM/);
    const clientCertificates = { ca: missing, required: true };
    expect(() => load({ clientCertificates })).toThrow(/missing\.pem does not exist/);
  });

  it('are rejected if their content is damaged', () => {
    const { certificate, key } = authority.issue('damaged');
    const damage = (from: string): string =>
      readFileSync(from, 'utf8').replace(/\n.{20}/, '\nAAAAAAAAAAAAAAAAAAAA');
    expect(() => load({ certificate: file('bad.pem', damage(certificate)), key })).toThrow(
      /bad\.pem contains a certificate that cannot be parsed\. Inspect it with: openssl x509/,
    );
    expect(() => load({ certificate, key: file('bad.key', damage(key)) })).toThrow(
      /bad\.key contains a key that cannot be parsed\. Inspect it with: openssl pkey/,
    );
    const chain = file('chain.pem', readFileSync(certificate, 'utf8') + damage(certificate));
    expect(() => load({ certificate: chain, key })).toThrow(/chain\.pem cannot be used: .*openssl storeutl/s);
  });

  it('cause warnings before the certificate expires and afterwards', () => {
    const material = load({ ...authority.issue('soon', { days: 14 }) });
    const at = (days: number): string | undefined => expiryWarning(material, Date.now() + days * 86_400_000);
    expect(expiryWarning(load({ ...authority.issue('late', { days: 16 }) }), Date.now())).toBeUndefined();
    expect(at(1)).toMatch(/^The certificate .*soon\.pem expires in 12 days, on \d{4}-\d\d-\d\d\. Renew it\./);
    expect(at(12.5)).toMatch(/expires in 1 day, on/);
    expect(at(13.5)).toMatch(/expires in less than a day, on/);
    expect(at(15)).toMatch(/expired on \d{4}-\d\d-\d\d; clients refuse it/);
    expect(at(-1)).toMatch(/is not valid before \d{4}-\d\d-\d\d; clients refuse it\. Check the clock/);
  });
});
