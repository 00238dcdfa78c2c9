import { ActiveCertificate, loadTls, type TlsMaterial } from '../../../../../src/framework';
import { startAdminPlatform } from '../../../../factories/admin/admin';
import { textOf } from '../../../../factories/admin/admin-pages';
import { CertificateAuthority } from '../../../../factories/http/certificates';
import { withPrograms } from '../../../../factories/processes/programs';
import { setTestTimeout } from '../../../../factories/test-timeout';

const { describe, it } = withPrograms('openssl');

setTestTimeout(60);

describe('The overview', () => {
  it('warns of the certificate that connections get now, not of the one at the start', async () => {
    const authority = new CertificateAuthority();
    const platform = await startAdminPlatform();
    const issue = (name: string, days: number): TlsMaterial =>
      loadTls({ ...authority.issue(name, { days }), minimumVersion: 'TLSv1.2', passphrase: undefined });
    const page = async (): Promise<string> => textOf(await (await platform.ada.get('')).text());
    const { sharedState, warnings, certificateWarnings } = platform.application;
    try {
      // As an application does that is built with this certificate.
      const atStart = 'The certificate first.pem expires in 3 days.';
      warnings.push(atStart);
      certificateWarnings.push(atStart);
      const active = sharedState.find(ActiveCertificate);
      active?.replace(issue('second', 3));
      expect(await page()).toMatch(/second\.pem expires in 2 days/);
      expect(await page()).not.toContain('first.pem');
      active?.replace(issue('third', 40));
      expect(await page()).not.toMatch(/(first|second|third)\.pem/);
      active?.replace(issue('fourth', -1));
      expect(await page()).toMatch(/fourth\.pem expired on/);
    } finally {
      await platform.stop();
      authority.remove();
    }
  });
});
