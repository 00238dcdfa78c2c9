import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Problem, type ConfigObject } from '../../../../src/framework';
import type { Actor } from '../../../../src/modules/admin/changes/change';
import { assertNotLockedOut } from '../../../../src/modules/admin/changes/lockout';
import { startAdminPlatform, type AdminPlatform } from '../../../factories/admin/admin';
import { PolicyModule } from '../../../fixtures/policy-module';

const PAGE: Actor = { name: 'ada', via: 'page', address: '127.0.0.1', origin: 'http://127.0.0.1:8080' };
const API: Actor = {
  name: 'ada',
  via: 'api',
  address: '127.0.0.1',
  adapter: 'administrators',
  groups: ['administrator'],
};

let platform: AdminPlatform;
beforeAll(async () => {
  platform = await startAdminPlatform();
});
afterAll(() => platform.stop());

const admin = (settings: ConfigObject): ConfigObject => ({ 'platform-admin': settings });
const auth = (settings: ConfigObject): ConfigObject => ({ 'platform-mvc-auth': settings });

/** The reason why an application would lock an administrator out; undefined if it would not. */
async function reason(local: ConfigObject, actor: Actor): Promise<string | undefined> {
  const candidate = await platform.host.build({ local: JSON.stringify(local) });
  try {
    await assertNotLockedOut(candidate, actor);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 409) throw error;
    return error.detail;
  } finally {
    await candidate.dispose();
  }
}

describe('A change is accepted', () => {
  it.each([
    ['that has nothing to do with the admin', { view_manager: { display_exceptions: true } }],
    ['that lets more networks in', admin({ allow: ['127.0.0.0/8', '::1', '10.0.0.0/8'] })],
    ['that shortens sessions', admin({ session: { idle: 60 } })],
  ])('%s', async (_, local) => {
    expect(await reason(local, PAGE)).toBeUndefined();
    expect(await reason(local, API)).toBeUndefined();
  });

  it('from the command line, regardless of its effect', async () => {
    expect(await reason(admin({ enabled: false }), { name: 'root', via: 'command' })).toBeUndefined();
  });
});

describe.each([
  ['on a page', PAGE],
  ['through the API', API],
])('An administrator who changes something %s is not locked out', (_, actor) => {
  it('by disabling the admin', async () => {
    expect(await reason(admin({ enabled: false }), actor)).toMatch(/platform-admin\.enabled would be false/);
  });

  it('by networks that do not contain their address', async () => {
    const local = admin({ allow: ['192.0.2.0/24'] });
    expect(await reason(local, actor)).toMatch(
      /your address 127\.0\.0\.1 would no longer be in platform-admin\.allow/,
    );
    expect(await reason(local, { ...actor, address: '::ffff:192.0.2.7' })).toBeUndefined();
  });

  it('by host names that do not contain theirs', async () => {
    const host = 'admin.example.com:8443';
    expect(await reason(admin({ hosts: ['other.example.com'] }), { ...actor, host })).toMatch(
      /the host name admin\.example\.com:8443 that you use would no longer be in platform-admin\.hosts/,
    );
    expect(await reason(admin({ hosts: ['admin.example.com'] }), { ...actor, host })).toBeUndefined();
  });

  it('by a file without administrators', async () => {
    expect(await reason(admin({ administrators: 'data/nobody.htpasswd' }), actor)).toMatch(
      /data\/nobody\.htpasswd/,
    );
  });
});

describe('An administrator on the pages', () => {
  it('must be listed in the new file of administrators', async () => {
    mkdirSync(path.join(platform.root, 'data'), { recursive: true });
    writeFileSync(
      path.join(platform.root, 'data/others.htpasswd'),
      'bob:$2y$05$8kb1GIHjQ3c54gC3bUxHB.ChZZq1WNBAW0Ln4AvSZLa2sN.tP5EKW\n',
    );
    const local = admin({ administrators: 'data/others.htpasswd' });
    expect(await reason(local, PAGE)).toMatch(/"ada" is not an administrator in data\/others\.htpasswd/);
    expect(await reason(local, { ...PAGE, name: 'bob' })).toBeUndefined();
  });

  it('must have their role in the new file of administrators', async () => {
    mkdirSync(path.join(platform.root, 'data'), { recursive: true });
    const [people, roles] = ['htpasswd', 'json'].map((end) => path.join(platform.root, `data/staff.${end}`));
    writeFileSync(people ?? '', 'ada:$2y$05$8kb1GIHjQ3c54gC3bUxHB.ChZZq1WNBAW0Ln4AvSZLa2sN.tP5EKW\n');
    writeFileSync(roles ?? '', JSON.stringify({ ada: { role: 'editor' } }));
    const local = admin({ administrators: 'data/staff.htpasswd' });
    expect(await reason(local, PAGE)).toMatch(/the role of "ada" would be editor/);
    expect(await reason(local, { ...PAGE, role: 'editor' })).toBeUndefined();
  });

  it('cannot require TLS while connected without it', async () => {
    const local = admin({ secure_cookies: true });
    expect(await reason(local, PAGE)).toMatch(/secure_cookies requires TLS/);
    expect(await reason(local, { ...PAGE, origin: 'https://admin.example' })).toBeUndefined();
  });
});

describe('An administrator who uses the API', () => {
  const other = (): ConfigObject => ({
    authentication: {
      adapters: {
        other: {
          adapter: 'HttpAdapter',
          options: { accept_schemes: ['basic'], realm: 'Other', htpasswd: 'data/administrators.htpasswd' },
        },
      },
      map: { Admin: 'other' },
    },
  });

  it('cannot remove the adapter that authenticated them', async () => {
    expect(await reason(auth(other()), API)).toMatch(
      /the adapter "administrators", which you signed in with, would no longer guard the API "Admin"/,
    );
    expect(await reason(auth(other()), { ...API, adapter: 'other' })).toBeUndefined();
    expect(await reason(auth(other()), PAGE)).toBeUndefined();
  });

  it('cannot remove the last adapter of the API', async () => {
    expect(await reason(auth({ authentication: { map: { Admin: [] } } }), API)).toMatch(
      /would (no longer|not) guard|no adapter would guard/,
    );
    const { adapter: _, ...unknown } = API;
    expect(await reason(auth({ authentication: { map: { Admin: [] } } }), unknown)).toMatch(
      /no adapter would guard the API "Admin"/,
    );
  });
});

describe('The rules of the admin API', () => {
  const rules = (...services: readonly string[]): ConfigObject =>
    auth({
      authorization: {
        Admin: Object.fromEntries(services.map((name) => [name, { POST: ['bob', '@staff'] }])),
      },
    });

  it('must allow their author to revert changes', async () => {
    expect(await reason(rules('Restore', 'Undo'), API)).toMatch(/would not allow "ada" to revert this/);
    expect(await reason(rules('Restore'), API)).toBeUndefined();
  });

  it('must allow the scopes of their author', async () => {
    const scoped = auth({
      authorization: {
        Admin: Object.fromEntries(['Restore', 'Undo'].map((name) => [name, { POST: ['scope:admin'] }])),
      },
    });
    const owner = { ...API, name: 'robot', groups: [] };
    expect(await reason(scoped, { ...owner, scopes: ['admin', 'read'] })).toBeUndefined();
    expect(await reason(scoped, { ...owner, scopes: ['read'] })).toMatch(/would not allow "robot"/);
  });

  /** Rules of the services by name: a policy, or a rule without one. */
  const posts = (
    rulesOf: Readonly<Record<string, string | readonly string[] | { policy: string }>>,
  ): ConfigObject =>
    auth({
      authorization: {
        Admin: Object.fromEntries(Object.entries(rulesOf).map(([name, rule]) => [name, { POST: rule }])),
      },
    });
  const owner = { policy: 'owner-only' };
  const calendar = { policy: 'calendar' };

  /** The reason for a change of rules, on a platform with policies. */
  async function reasonAfter(
    before: Parameters<typeof posts>[0],
    after: Parameters<typeof posts>[0],
  ): Promise<string | undefined> {
    const other = platform;
    platform = await startAdminPlatform({ extra: [new PolicyModule()], local: posts(before) });
    try {
      return await reason(posts(after), API);
    } finally {
      await platform.stop();
      platform = other;
    }
  }

  it('may ask a policy that decides already', async () => {
    const both = (policy: { policy: string }) => ({ Restore: policy, Undo: policy });
    expect(await reasonAfter(both(owner), both(owner))).toBeUndefined();
    expect(await reasonAfter(both(owner), both(calendar))).toMatch(
      /would ask a policy, which may not allow "ada" to revert this \(Restore, Undo\)\. Name yourself in the rule of one of them, or/,
    );
    expect(await reasonAfter(both(owner), { Restore: ['ada'], Undo: calendar })).toBeUndefined();
  });

  it.each([
    ['the rule that permits the author', 'authenticated'],
    ['another policy', calendar],
    ['the same policy for another service', owner],
  ])('may not leave a policy alone by removing %s', async (_, undo) => {
    expect(await reasonAfter({ Restore: owner, Undo: undo }, { Restore: owner, Undo: ['bob'] })).toMatch(
      /would ask a policy, which may not allow "ada"/,
    );
  });

  it('may exclude users other than their author', async () => {
    expect(await reason(rules('Restore', 'Undo'), { ...API, name: 'bob' })).toBeUndefined();
    expect(await reason(rules('Restore', 'Undo'), { ...API, groups: ['staff'] })).toBeUndefined();
    expect(await reason(rules('Restore', 'Undo'), PAGE)).toBeUndefined();
  });
});

it('rejects an application without the admin module', async () => {
  const file = path.join(platform.root, 'config/application.json');
  const modules = platform.application.modules.map(({ name }) => name).filter((name) => name !== 'admin');
  writeFileSync(file, JSON.stringify({ modules }));
  expect(await reason({}, PAGE)).toMatch(/the module "admin" is no longer listed/);
});
