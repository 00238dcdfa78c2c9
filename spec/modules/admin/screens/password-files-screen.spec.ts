import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigurationUnavailable } from '../../../../src/framework';
import { ADMIN, startAdminPlatform, WITH_ADMIN, type AdminPlatform } from '../../../factories/admin/admin';
import { textOf } from '../../../factories/admin/admin-pages';
import { digestLine, digestLines } from '../../../factories/sign-in/digest-line';
import { fieldsOf } from '../../../factories/admin/page-form';
import { authenticatedBy, PEOPLE } from '../../../fixtures/people';

const FILE = 'config/people.htpasswd';
const CLUB = 'config/club.htdigest';

let platform: AdminPlatform;
beforeAll(async () => {
  platform = await startAdminPlatform({
    modules: WITH_ADMIN,
    local: authenticatedBy('people'),
    files: {
      ...PEOPLE,
      [CLUB]: `${digestLine('ada', 'Club & Co', 'password')}\n`,
      'notes.txt': 'Buy milk.\n',
      'config/people.json': '{}\n',
    },
  });
});
afterAll(() => platform.stop());

const page = async (below: string): Promise<string> => (await platform.ada.get(below)).text();
const save = (below: string, fields: Record<string, string>): Promise<Response> =>
  platform.ada.save(below, fields);
const post = (below: string, fields: Record<string, string>): Promise<Response> =>
  platform.ada.post(below, fields);
const fileText = (file: string): string => readFileSync(path.join(platform.root, file), 'utf8');
const at = (doing: string, query: Record<string, string>): string =>
  `/password-files/${doing}?${new URLSearchParams(query).toString()}`;

describe('The page of password files', () => {
  it('lists the files of adapters with links to their users', async () => {
    const html = await page('/password-files');
    expect(textOf(html)).toContain('config/people.htpasswd Basic 2 people');
    expect(html).toContain('/platform/admin/password-files/users?file=config%2Fpeople.htpasswd');
  });

  it('creates a file and redirects to its users', async () => {
    const created = await save('/password-files', { kind: 'htdigest', file: 'data/atlas.users' });
    expect(created.status).toBe(303);
    const location = created.headers.get('location') ?? '';
    expect(location).toBe(`${ADMIN}/password-files/users?file=data%2Fatlas.users&kind=htdigest`);
    const below = location.slice(ADMIN.length);
    expect(await page(below)).toContain('name="realm"');
    const added = await save(below, { realm: 'Atlas', user: 'guest', password: 'open it', again: 'open it' });
    expect(added.status).toBe(303);
    expect(fileText('data/atlas.users')).toBe(digestLines('guest', 'Atlas', 'open it'));
    const removed = await save(at('remove', { file: 'data/atlas.users', user: 'guest', realm: 'Atlas' }), {});
    // The empty file is still one of Digest users, which its name does not say.
    const after = await page((removed.headers.get('location') ?? '').slice(ADMIN.length));
    expect(fieldsOf(after, 'realm')).toContainEqual(['realm', 'Atlas']);
  });

  it('sets exactly the algorithms that are chosen for a Digest user, the usual ones by default', async () => {
    await save('/password-files', { kind: 'htdigest', file: 'data/chosen.htdigest' });
    const users = '/password-files/users?file=data%2Fchosen.htdigest&kind=htdigest';
    const form = await page(users);
    for (const [name, isChecked] of [
      ['SHA-256', true],
      ['SHA-512-256', false],
      ['MD5', true],
    ] as const)
      expect(form).toContain(`name="algorithms" value="${name}"${isChecked ? ' checked' : ''}>`);
    const guest = {
      realm: 'Atlas',
      user: 'guest',
      password: 'open it',
      again: 'open it',
      choose: 'algorithms',
    };
    const refused = await post(users, guest);
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining('Choose at least one algorithm. Available: SHA-256, SHA-512-256, MD5.'),
    ]);
    await save(users, { ...guest, algorithms: 'MD5' });
    expect(fileText('data/chosen.htdigest')).toBe(`${digestLine('guest', 'Atlas', 'open it')}\n`);
    const password = '/password-files/password?file=data%2Fchosen.htdigest&user=guest&realm=Atlas';
    expect(await page(password)).toContain('name="algorithms" value="SHA-256" checked>');
    await save(password, { ...guest, algorithms: 'SHA-512-256' });
    expect(fileText('data/chosen.htdigest')).toMatch(/^guest:Atlas:\{SHA-512-256\}[0-9a-f]{64}\n$/);
  });

  it.each([
    [FILE, 409],
    ['../people', 422],
    ['config/autoload/people.local.js', 422],
    ['', 422],
    ['data/administrators.htpasswd', 422],
    ['"><script>alert(1)</script>.html', 422],
  ])('rejects creating %j at the field', async (file, status) => {
    const answer = await post('/password-files', { kind: 'htpasswd', file });
    const html = await answer.text();
    expect(answer.status).toBe(status);
    expect(html).toContain('id="file-error"');
    expect(html).not.toContain('<script>alert');
    expect(existsSync(path.join(platform.root, 'config/autoload/people.local.js'))).toBe(false);
  });

  it('does not open files that are not password files', async () => {
    for (const [file, status] of [
      ['notes.txt', 422],
      ['/etc/passwd', 422],
      ['data/nowhere.users', 404],
      ['data/administrators.htpasswd', 422],
    ] as const) {
      const answer = await platform.ada.get(at('users', { file }));
      expect(answer.status).toBe(status);
      // The file is in the query; GET has no body.
      expect(await answer.text()).not.toMatch(/milk|root:|The body has/);
    }
  });
});

describe('The page of a file that is not a password file', () => {
  it('has the reason as its text, not a reference to members of the problem document', async () => {
    const answer = await platform.ada.get(at('users', { file: 'config/people.json' }), {
      Accept: 'text/html',
    });
    const shown = textOf(await answer.text());
    expect(answer.status).toBe(422);
    expect(shown).toMatch(/Unprocessable Content config\/people\.json is not a password file: line 1/);
    expect(shown).not.toMatch(/see "errors"|\/file /);
  });
});

describe('The users of a password file', () => {
  it('are shown without a hash', async () => {
    const html = (await page(at('users', { file: FILE }))) + (await page(at('users', { file: CLUB })));
    expect(html).toContain('ada');
    expect(html).not.toMatch(/\{SHA\}|W6ph5Mm5|[0-9a-f]{32}/);
  });

  it('are on several pages if there are many, and found by their names', async () => {
    const hash = '{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=';
    const lines = Array.from({ length: 450 }, (_, number) => `user${number}:${hash}\n`);
    writeFileSync(path.join(platform.root, 'data/many.htpasswd'), lines.join(''));
    const below = at('users', { file: 'data/many.htpasswd' });
    const first = await page(below);
    expect(first.match(/>Set password</g)).toHaveLength(200);
    expect(textOf(first)).toContain('Page 1 of 3 Next');
    expect(textOf(await page(`${below}&page=3`))).toMatch(/user400 .*user449 /);
    const found = await page(`${below}&search=USER44`);
    expect(found.match(/>Set password</g)).toHaveLength(11);
    expect(textOf(await page(`${below}&search=nobody`))).toContain('No users found.');
  });

  it('get a new password and are removed', async () => {
    const below = at('users', { file: FILE });
    await save(below, { user: 'eve', password: 'first one', again: 'first one' });
    const first = fileText(FILE)
      .split('\n')
      .find((line) => line.startsWith('eve:'));
    expect(first).toMatch(/^eve:\$2y\$/);
    const set = await save(at('password', { file: FILE, user: 'eve' }), {
      password: 'new one',
      again: 'new one',
    });
    expect(set.status).toBe(303);
    expect(fileText(FILE)).not.toContain(first);
    const removed = await save(at('remove', { file: FILE, user: 'eve' }), {});
    expect(removed.status).toBe(303);
    expect(fileText(FILE)).toBe(PEOPLE[FILE]);
    expect(textOf(await page(below))).toContain('Removed “eve”.');
  });

  it('are changed after a review that shows neither a password nor a hash', async () => {
    const below = at('users', { file: FILE });
    const sent = { user: 'eve', password: 'words to hide', again: 'words to hide' };
    const html = await (await post(below, sent)).text();
    expect(textOf(html)).toContain('Review changes Nothing has been saved yet.');
    expect(textOf(html)).toContain('eve + added: password ••••••');
    expect(html).not.toMatch(/words to hide|\$2y\$/);
    expect(fileText(FILE)).toBe(PEOPLE[FILE]);
    const again = await (
      await post(below, Object.fromEntries([...fieldsOf(html, 'confirm'), ['edit', 'yes']]))
    ).text();
    expect(fieldsOf(again, 'user')).toContainEqual(['user', 'eve']);
    expect(again).not.toContain('words to hide');
    expect((await post(below, Object.fromEntries(fieldsOf(html, 'confirm')))).status).toBe(303);
    expect(fileText(FILE)).toContain('eve:$2y$');
    await save(at('remove', { file: FILE, user: 'eve' }), {});
  });

  it('are confirmed once, by the session and on the page of the review', async () => {
    const below = at('remove', { file: FILE, user: 'ada' });
    const html = await (await post(below, {})).text();
    const confirm = Object.fromEntries(fieldsOf(html, 'confirm')).confirm ?? '';
    const other = await platform.signIn('ada');
    for (const answer of [
      await other.post(below, { confirm }),
      await post(at('remove', { file: FILE, user: 'bob' }), { confirm }),
      await post(below, { confirm: 'forged' }),
    ])
      expect([answer.status, textOf(await answer.text())]).toEqual([
        422,
        expect.stringContaining('The review has expired. Nothing was saved.'),
      ]);
    expect(fileText(FILE)).toBe(PEOPLE[FILE]);
  });

  it('are not reported as unchanged if the confirmation is submitted twice', async () => {
    const below = at('users', { file: FILE });
    const html = await (await post(below, { user: 'eve', password: 'a word', again: 'a word' })).text();
    const confirmation = Object.fromEntries(fieldsOf(html, 'confirm'));
    expect((await post(below, confirmation)).status).toBe(303);
    const saved = await post(below, confirmation);
    expect([saved.status, textOf(await saved.text())]).toEqual([
      410,
      expect.stringContaining('This change was saved'),
    ]);
    // Of a review that has no page.
    const again = await post(below, { ...confirmation, review: '' });
    const text = textOf(await again.text());
    expect([again.status, text]).toEqual([422, expect.stringContaining('This review was confirmed before')]);
    expect(text).not.toContain('Nothing was saved');
    await save(at('remove', { file: FILE, user: 'eve' }), {});
  });

  it('are reviewed again if they were changed after the review', async () => {
    const below = at('password', { file: FILE, user: 'bob' });
    const mine = { password: 'my words', again: 'my words' };
    const html = await (await post(below, mine)).text();
    await save(below, { password: 'their words', again: 'their words' });
    const theirs = fileText(FILE);
    const shown = await post(below, Object.fromEntries(fieldsOf(html, 'confirm')));
    const again = await shown.text();
    expect([shown.status, textOf(again)]).toEqual([200, expect.stringContaining('changed by someone else')]);
    expect(fileText(FILE)).toBe(theirs);
    expect((await post(below, Object.fromEntries(fieldsOf(again, 'confirm')))).status).toBe(303);
    expect(fileText(FILE)).not.toBe(theirs);
    writeFileSync(path.join(platform.root, FILE), PEOPLE[FILE]);
  });

  it('are entered again, with their names kept, if other nodes cannot be given the file', async () => {
    const below = at('users', { file: FILE });
    const html = await (await post(below, { user: 'eve', password: 'a word', again: 'a word' })).text();
    const unavailable = new ConfigurationUnavailable('Redis cannot be used.');
    const shared = jest
      .spyOn(platform.host, 'shared', 'get')
      .mockReturnValue({ publish: () => Promise.reject(unavailable) } as never);
    const refused = await post(below, Object.fromEntries(fieldsOf(html, 'confirm')));
    shared.mockRestore();
    const again = await refused.text();
    expect([refused.status, textOf(again)]).toEqual([
      503,
      expect.stringContaining('Redis cannot be used.') as string,
    ]);
    expect(fieldsOf(again, 'user')).toContainEqual(['user', 'eve']);
    expect(fileText(FILE)).toBe(PEOPLE[FILE]);
  });

  it('of Digest files are identified by realm, with any realm name', async () => {
    const query = { file: CLUB, user: 'bob', realm: 'Club & Co' };
    await save(at('users', { file: CLUB }), { user: 'bob', realm: 'Club & Co', password: 'x', again: 'x' });
    expect(fileText(CLUB)).toContain(digestLine('bob', 'Club & Co', 'x'));
    expect(await page(at('users', { file: CLUB }))).toContain('realm=Club%20%26%20Co');
    expect((await save(at('remove', query), {})).status).toBe(303);
    expect(fileText(CLUB)).not.toContain('bob');
  });

  it.each([
    [{ user: 'ada', password: 'x', again: 'x' }, 'user', 409],
    [{ user: 'a:b', password: 'x', again: 'x' }, 'user', 422],
    [{ user: '', password: 'x', again: 'x' }, 'user', 422],
    [{ user: 'eve', password: '', again: '' }, 'password', 422],
    [{ user: 'eve', password: 'secret-1', again: 'secret-2' }, 'again', 422],
  ])('are rejected at the field: %j', async (fields, field, status) => {
    const answer = await post(at('users', { file: FILE }), fields);
    const html = await answer.text();
    expect(answer.status).toBe(status);
    expect(html).toContain(`id="${field}-error"`);
    expect(html).toContain(`value="${fields.user}"`);
    expect(html).not.toContain('secret-');
    expect(fileText(FILE)).toBe(PEOPLE[FILE]);
  });

  it('are not found under an unknown name', async () => {
    expect(
      (await post(at('password', { file: FILE, user: 'eve' }), { password: 'x', again: 'x' })).status,
    ).toBe(404);
    expect((await post(at('remove', { file: FILE, user: 'eve' }), {})).status).toBe(404);
  });

  it('are displayed as text', async () => {
    const user = '<script>alert(1)</script>';
    const html = await (await post(at('users', { file: FILE }), { user, password: 'x', again: 'y' })).text();
    expect(html + (await page(at('remove', { file: FILE, user })))).not.toContain('<script>alert');
  });

  it('cannot be changed without a session or from another site', async () => {
    const below = at('remove', { file: FILE, user: 'ada' });
    expect((await platform.stranger().get(at('users', { file: FILE }))).status).toBe(303);
    expect((await platform.stranger().post(below, {})).status).toBe(303);
    expect((await platform.ada.post(below, { csrf: 'forged' })).status).toBe(403);
    expect((await platform.ada.post(below, {}, { Origin: 'https://evil.example' })).status).toBe(403);
    expect(fileText(FILE)).toBe(PEOPLE[FILE]);
  });
});
