import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { addKey, newKey } from '../../../../src/modules/mvc-auth/api-keys/edit-keys';
import { hashWithBcrypt } from '../../../../src/modules/mvc-auth/passwords/hashes/bcrypt-hash';
import { Catalogue, type HostedEndpoint } from '../../../../src/modules/hosting';
import type { AdminRole } from '../../../../src/modules/admin/accounts/roles';
import { ADMIN, PASSWORD, startAdminPlatform } from '../../../factories/admin/admin';
import { textOf } from '../../../factories/admin/admin-pages';
import { fieldsOf } from '../../../factories/admin/page-form';
import { basic, bodyOf, sendJson } from '../../../factories/http/requests';
import { reusedPlatform } from '../../../factories/reused-platform';
import { setTestTimeout } from '../../../factories/test-timeout';

setTestTimeout(120);

const API = `${ADMIN}/api/v1`;

/** The POST pages that a role may submit; the others require the role `administrator`. */
const VIEWER = [
  'account',
  'account-second-factor',
  'account-second-factor-codes',
  'account-second-factor-removal',
  'sign-out',
  'listeners',
  'database-test',
];
const EDITOR = [
  ...VIEWER,
  'api-texts',
  'api-service-texts',
  'api-schema-texts',
  'selectors',
  'selector',
  'selector-model',
  'selector-model-remove',
  'selector-remove',
  'traces',
  'trace-recording',
  'revision-undo',
  'revision-restore',
];
/** The services of the API whose changes a role may make. */
const VIEWER_SERVICES = ['ConnectionTest'];
const EDITOR_SERVICES = [
  ...VIEWER_SERVICES,
  'DocumentationText',
  'Selector',
  'SelectorModel',
  'Trace',
  'TraceRecording',
  'Restore',
  'Undo',
];

const { platform } = reusedPlatform(async () => {
  const people: string[] = [];
  for (const name of ['ada', 'eve', 'vic']) people.push(`${name}:${await hashWithBcrypt(PASSWORD, 4)}`);
  return startAdminPlatform({
    files: {
      'data/administrators.htpasswd': `${people.join('\n')}\n`,
      'data/administrators.json': JSON.stringify({
        ada: { role: 'administrator' },
        eve: { role: 'editor' },
        vic: { role: 'viewer' },
      }),
    },
  });
});

const accounts = (): string => path.join(platform.root, 'data/administrators.json');
const local = (): string => path.join(platform.root, 'config/autoload/local.json');

function call(user: string, method: string, below: string, body?: unknown): Promise<Response> {
  const fields = { Authorization: basic(user, PASSWORD) };
  return platform.request(
    API + below,
    body === undefined ? { method, headers: fields } : sendJson(body, method, fields),
  );
}

/** A page with a POST handler. */
interface PostPage {
  readonly name: string;
  readonly path: string;
}

/** Every page that has a POST, with segments in place of its parameters. */
function postPages(): readonly PostPage[] {
  return platform.application.router.routes.flatMap(({ name, pattern, target }) => {
    const isPage =
      name.startsWith('admin:') && !['admin:sign-in', 'admin:sign-in-code', 'admin:claim'].includes(name);
    if (!isPage || target.methods?.endpoints.has('POST') !== true) return [];
    const below = pattern.text.slice(ADMIN.length).replace(/:\w+(?:\([^)]*\))?/g, '1');
    return [{ name: name.slice('admin:'.length), path: below }];
  });
}

describe('Roles on the admin pages', () => {
  it.each([
    ['viewer', 'vic', VIEWER],
    ['editor', 'eve', EDITOR],
  ] as const)('let a %s submit some forms, and see every page', async (_, user, allowed) => {
    const client = await platform.signIn(user);
    const pages = postPages();
    expect(pages.length).toBeGreaterThan(30);
    const csrf = await client.csrf();
    const permitted: string[] = [];
    for (const { name, path: below } of pages) {
      if (name === 'sign-out') continue;
      const { status } = await client.post(below, { csrf });
      if (status !== 403) permitted.push(name);
    }
    expect(permitted.sort()).toEqual(allowed.filter((name) => name !== 'sign-out').sort());
    for (const below of ['', '/adapters', '/administrators', '/audit', '/configuration', '/revisions'])
      expect((await client.get(below)).status).toBe(200);
  });

  it('say on a page which role its forms require, and disable them', async () => {
    const vic = await platform.signIn('vic');
    const shown = await (await vic.get('/selectors')).text();
    expect(shown).toContain('Your role is viewer. Changes on this page require the role editor.');
    expect(shown).toMatch(/<fieldset class="gate" disabled>/);
    const eve = await platform.signIn('eve');
    expect(await (await eve.get('/selectors')).text()).not.toContain('gate" disabled');
    const refused = await vic.post('/selectors', { name: 'Xml' });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('This requires the role editor. Ask an administrator.');
  });

  it('disable the part of a form that requires another one, and keep what was typed with it', async () => {
    const texts = '/apis/Atlas-v1/texts';
    const eve = await platform.signIn('eve');
    const page = await (await eve.get(texts)).text();
    expect(page).toMatch(/disabled>\s*<fieldset[^>]* id="visibility"/);
    expect(page).toContain('Changes require the role administrator.');
    expect(await (await platform.ada.get(texts)).text()).not.toContain('gate" disabled');
    const typed = { '/description': 'Typed for hours', '/visibility': 'authenticated' };
    const refused = await eve.post(texts, typed);
    expect(refused.status).toBe(403);
    const again = await refused.text();
    expect(again).toMatch(/platform-hosting\S* requires the role administrator/);
    expect(fieldsOf(again, '/description')).toContainEqual(['/description', 'Typed for hours']);
  });

  it('refuse a form that was loaded with another role, and keep what was typed', async () => {
    const texts = '/apis/Atlas-v1/texts';
    const eve = await platform.signIn('eve');
    const typed = { '/description': 'Typed for hours', csrf: await eve.csrf() };
    await platform.ada.save('/administrators/eve/role', { role: 'viewer' });
    const refused = await eve.post(texts, typed);
    const page = await refused.text();
    expect(refused.status).toBe(403);
    expect(textOf(page)).toContain(
      'Your role is viewer. This requires the role editor. Ask an administrator. What you entered is still here, except for passwords; nothing has been saved yet.',
    );
    expect(fieldsOf(page, '/description')).toContainEqual(['/description', 'Typed for hours']);
    const script = await eve.post(texts, typed, { 'Sec-Fetch-Dest': 'empty' });
    expect([script.status, await script.text()]).toEqual([
      403,
      expect.not.stringContaining('Typed for hours'),
    ]);
    const forged = await eve.post(texts, { ...typed, csrf: 'forged' });
    expect([forged.status, await forged.text()]).toEqual([
      403,
      expect.not.stringContaining('Typed for hours'),
    ]);
    await platform.ada.save('/administrators/eve/role', { role: 'editor' });
  });

  it('are set by administrators, and apply to the next request', async () => {
    const vic = await platform.signIn('vic');
    expect((await vic.post('/selectors', { name: 'Xml' })).status).toBe(403);
    const saved = await platform.ada.save('/administrators/vic/role', { role: 'editor' });
    expect(saved.status).toBe(303);
    expect((await vic.save('/selectors', { name: 'Xml' })).status).toBe(303);
    expect(JSON.parse(readFileSync(accounts(), 'utf8'))).toEqual({
      ada: { role: 'administrator' },
      eve: { role: 'editor' },
      vic: { role: 'editor' },
    });
    const audit = readFileSync(path.join(platform.root, 'data/audit.log'), 'utf8');
    expect(audit).toMatch(/"action":"role_change","outcome":"success","administrator":"ada".*"target":"vic"/);
  });

  it('stay selected when the form is shown again', async () => {
    const review = await (await platform.ada.post('/administrators/vic/role', { role: 'editor' })).text();
    const fields = [...fieldsOf(review, 'confirm'), ['edit', 'yes']] as const;
    const again = await (await platform.ada.post('/administrators/vic/role', fields)).text();
    expect(fieldsOf(again, 'role')).toContainEqual(['role', 'editor']);
    const refused = await platform.ada.post('/administrators/ada/role', { role: 'viewer' });
    expect(fieldsOf(await refused.text(), 'role')).toContainEqual(['role', 'viewer']);
  });

  it('leave at least one with full permissions', async () => {
    for (const below of ['/administrators/ada/role', '/administrators/ada/remove']) {
      const refused = await platform.ada.post(below, { role: 'viewer', self: 'yes' });
      expect(refused.status).toBe(422);
      expect(await refused.text()).toContain('is the last one with the role administrator');
    }
  });

  it('are given to new administrators, and removed with them', async () => {
    const fields = { name: 'bob', role: 'viewer', password: PASSWORD, again: PASSWORD };
    const review = await (await platform.ada.post('/administrators', fields)).text();
    expect(review).toContain('viewer');
    expect((await platform.ada.post('/administrators', fieldsOf(review, 'confirm'))).status).toBe(303);
    const bob = await platform.signIn('bob');
    expect((await bob.post('/apis', {})).status).toBe(403);
    expect((await platform.ada.save('/administrators/bob/remove', {})).status).toBe(303);
    expect(JSON.parse(readFileSync(accounts(), 'utf8'))).not.toHaveProperty('bob');
  });

  it('are never guessed: nobody signs in while their file is invalid', async () => {
    writeFileSync(accounts(), '{"vic": {"rolle": "viewer"}}');
    const vic = platform.stranger();
    const refused = await vic.post('/sign-in', { name: 'vic', password: PASSWORD });
    expect(refused.status).toBe(503);
    expect(vic.cookie).toBeUndefined();
    expect((await platform.ada.get('')).status).toBe(503);
    expect((await call('vic', 'GET', '/selectors')).status).toBe(503);
    const errors = platform.log.lines.map(({ details }) => String(Reflect.get(details, 'err')));
    expect(errors.join('\n')).toContain(`${accounts()} has the unknown member "rolle"`);
    writeFileSync(accounts(), '{"ada": {"role": "administrator"}}');
    expect((await platform.ada.get('')).status).toBe(200);
  });

  it('are not lifted by losing their file', async () => {
    const vic = await platform.signIn('vic');
    rmSync(accounts());
    expect((await vic.post('/selectors', { name: 'Xml' })).status).toBe(503);
    expect((await call('vic', 'POST', '/administrators', { name: 'x', password: PASSWORD })).status).toBe(
      503,
    );
    await platform.host.reload();
    expect((await vic.get('')).status).toBe(503);
  });
});

describe('Identities of other adapters in the admin API', () => {
  it('have the role of their groups, and a name of their own', async () => {
    const { key, stored } = newKey({ owner: 'ada', groups: ['editor'] });
    const file = path.join(platform.root, 'data/keys.json');
    writeFileSync(file, addKey('data/keys.json', undefined, stored));
    const keys = { adapter: 'ApiKeyAdapter', options: { keys: 'data/keys.json' } };
    const map = { Admin: ['administrators', 'keys'] };
    writeFileSync(
      local(),
      JSON.stringify({ 'platform-mvc-auth': { authentication: { adapters: { keys }, map } } }),
    );
    await platform.host.reload();
    const send = (below: string, name: string): Promise<Response> =>
      platform.request(API + below, sendJson({ name, password: PASSWORD }, 'POST', { 'X-API-Key': key }));
    expect((await send('/administrators', 'x')).status).toBe(403);
    expect(
      (await platform.request(`${API}/selectors`, sendJson({ name: 'Xml' }, 'POST', { 'X-API-Key': key })))
        .status,
    ).toBe(201);
    const audit = readFileSync(path.join(platform.root, 'data/audit.log'), 'utf8');
    expect(audit).toMatch(/"action":"configuration_change","outcome":"success","administrator":"keys:ada"/);
  });
});

describe('Roles in the admin API', () => {
  it.each([
    ['viewer', VIEWER_SERVICES],
    ['editor', EDITOR_SERVICES],
  ] as const)('are the rules of its operations: %s', async (role: AdminRole, services) => {
    const allowed = new Set<string>();
    for (const { service, method, access } of await operations()) {
      const isAllowed = Array.isArray(access) && access.includes(`@${role}`);
      if (method === 'GET') expect(isAllowed).toBe(true);
      else if (isAllowed) allowed.add(service);
      expect(access).toContain('@administrator');
    }
    expect([...allowed].sort()).toEqual([...services].sort());
  });

  it('decide requests', async () => {
    expect((await call('vic', 'GET', '/administrators')).status).toBe(200);
    expect((await call('vic', 'POST', '/selectors', { name: 'Xml' })).status).toBe(403);
    expect((await call('eve', 'POST', '/selectors', { name: 'Xml' })).status).toBe(201);
    expect((await call('eve', 'PATCH', '/administrators/eve', { role: 'administrator' })).status).toBe(403);
    const changed = await call('ada', 'PATCH', '/administrators/vic', { role: 'editor' });
    expect(await bodyOf(changed)).toMatchObject({ name: 'vic', role: 'editor', second_factor: false });
  });

  it('are those of the request that added the administrator, also of concurrent ones', async () => {
    for (let at = 0; at < 5; at++) {
      const name = `new${at}`;
      const roles = ['viewer', 'administrator'] as const;
      const answers = await Promise.all(
        roles.map((role) =>
          call('ada', 'POST', '/administrators', { name, role, password: `password of ${role}` }),
        ),
      );
      const added = answers.findIndex(({ status }) => status === 201);
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      const shown = await bodyOf(await call('ada', 'GET', `/administrators/${name}`));
      expect(shown).toMatchObject({ name, role: roles[added] });
    }
  });

  it('are found by the rule tester', async () => {
    const query = 'method=POST&path=/platform/admin/api/v1/selectors&adapter=administrators&who=user&name=';
    for (const [user, verdict] of [
      ['vic', 'refused'],
      ['eve', 'permitted'],
    ] as const) {
      const result = await bodyOf(await call('ada', 'GET', `/rule-test?${query}${user}`));
      expect([user, result.verdict]).toEqual([user, verdict]);
    }
  });

  it('do not load what was edited by hand and requires another role', async () => {
    const edit = (text: string) =>
      call('eve', 'PATCH', '/documentation-texts/Atlas-v1', { texts: [{ key: '/description', text }] });
    expect((await edit('First.')).status).toBe(200);
    const before = JSON.parse(readFileSync(local(), 'utf8')) as object;
    writeFileSync(local(), JSON.stringify({ ...before, 'platform-admin': { secure_cookies: true } }));
    const refused = await edit('Second.');
    expect(refused.status).toBe(403);
    expect((await bodyOf(refused)).detail).toContain(
      'platform-admin.secure_cookies requires the role administrator',
    );
  });

  it('do not apply to what an editor reverts of others', async () => {
    await call('ada', 'PUT', '/map/Atlas', { adapters: [] });
    const before = readFileSync(local(), 'utf8');
    const { items } = (await bodyOf(await call('eve', 'GET', '/revisions'))) as {
      items: readonly { revision: number }[];
    };
    const refused = await call('eve', 'POST', '/undo', { revision: items[0]?.revision });
    expect(refused.status).toBe(403);
    expect((await bodyOf(refused)).detail).toMatch(
      /Changing platform-mvc-auth\..* requires the role administrator/,
    );
    expect(readFileSync(local(), 'utf8')).toBe(before);
  });
});

async function operations(): Promise<readonly HostedEndpoint[]> {
  const catalogue = await platform.application.services.get(Catalogue);
  const services = catalogue.version('Admin')?.services ?? [];
  return services.flatMap(({ operations: own, entityOperations }) => [...own, ...entityOperations]);
}
