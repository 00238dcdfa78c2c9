import { WITH_ADMIN } from '../../factories/admin/admin';
import { startRefusal } from '../../factories/processes/start-refusal';

const logs = (access: string, audit = 'data/audit.log'): Promise<string> =>
  startRefusal({
    modules: WITH_ADMIN,
    local: {
      'platform-operations': { access_log: { enabled: true, file: access } },
      'platform-admin': { audit: { file: audit } },
    },
  });

describe('The path of a log file', () => {
  it.each([
    'config/autoload/zz.local.json',
    './data/../config/access.log',
    'config/..data/access.log',
    'config',
  ])('is refused below config/, whose files are configuration: %s', async (file) => {
    expect(await logs(file)).toMatch(
      /^config\/autoload\/local\.json:\d+:\d+: platform-operations\.access_log\.file: a log must not be in config\/, whose files are read as configuration\. Write it in data\/\.$/,
    );
    expect(await logs('data/access.log', file)).toContain(
      'platform-admin.audit.file: a log must not be in config/',
    );
  });

  it('is refused where another log or the administrators are', async () => {
    expect(await logs('data/one.log', 'data/../data/one.log')).toContain(
      'platform-admin.audit.file: platform-operations.access_log.file is the same file. Name another one.',
    );
    expect(await logs('data/access.log', 'data/administrators.htpasswd')).toContain(
      'platform-admin.audit.file: platform-admin.administrators is the same file. Name another one.',
    );
  });
});
