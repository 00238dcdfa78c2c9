import { HostNames } from '../../../../src/modules/admin/access/host-names';

const hosts = new HostNames(['Admin.example.com', '0.0.0.0', '::']);

describe('The host names of the admin', () => {
  it.each([
    'localhost',
    'localhost:8080',
    'LocalHost:80',
    'localhost.',
    '127.0.0.1',
    '127.9.9.9:8080',
    '[::1]',
    '[::1]:8080',
    // IP addresses cannot be rebound.
    '192.0.2.7:8080',
    '[2001:db8::7]:8080',
    'admin.example.com',
    'ADMIN.example.com.:443',
    undefined,
  ])('include %s', (host) => {
    expect(hosts.has(host)).toBe(true);
  });

  it.each([
    'evil.example',
    'evil.example:8080',
    'example.com',
    'sub.admin.example.com',
    'admin.example.com.evil.example',
    'localhost.evil.example',
    'xlocalhost',
    '127.0.0.1.evil.example',
    '127.0.0.1:80:80',
    'evil.example:localhost',
    '[::1',
    '[::1].evil.example',
    'localhost@evil.example',
    'localhost, evil.example',
    ':8080',
    '.',
    '',
  ])('do not include %j', (host) => {
    expect(hosts.has(host)).toBe(false);
  });
});
