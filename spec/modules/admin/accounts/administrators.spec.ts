import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hashWithBcrypt } from '../../../../src/modules/mvc-auth/passwords/hashes/bcrypt-hash';
import { textOf } from '../../../factories/admin/admin-pages';
import { fieldsOf } from '../../../factories/admin/page-form';
import { ADMIN, PASSWORD, startAdminPlatform } from '../../../factories/admin/admin';
import { reusedPlatform } from '../../../factories/reused-platform';
import { setTestTimeout } from '../../../factories/test-timeout';

setTestTimeout(60);

const NEW = 'battery staple';

const { platform } = reusedPlatform(startAdminPlatform);

const linesOf = (): readonly string[] => readFileSync(platform.file, 'utf8').trimEnd().split('\n');
const names = (): readonly string[] => linesOf().map((line) => line.replace(/:.*/, ''));
const add = (name: string): Promise<Response> =>
  platform.ada.save('/administrators', {
    name,
    role: 'administrator',
    password: PASSWORD,
    again: PASSWORD,
  });

describe('The account page', () => {
  it('changes the password with the current one and ends other sessions', async () => {
    const other = await platform.signIn('ada');
    const before = platform.ada.cookie;
    const changed = await platform.ada.save('/account', { old: PASSWORD, password: NEW, again: NEW });
    expect(changed.status).toBe(303);
    expect(platform.ada.cookie).not.toBe(before);
    expect(await (await platform.ada.get('/account')).text()).toContain('Password changed.');
    expect((await other.get('/account')).status).toBe(303);
    expect((await platform.signIn('ada')).cookie).toBeUndefined();
    expect((await platform.signIn('ada', NEW)).cookie).toBeDefined();
  });

  it.each([
    [{ old: 'wrong', password: NEW, again: NEW }, 'Wrong password.'],
    [{ old: PASSWORD, password: NEW, again: 'else' }, 'The passwords do not match.'],
    [{ old: PASSWORD, password: 'short', again: 'short' }, 'at least 8 characters'],
    [{ old: PASSWORD, password: 'tab\tin the middle', again: 'x' }, 'contains control characters'],
    [{}, 'Wrong password.'],
  ])('keeps the password if the form is invalid: %j', async (form, message) => {
    const before = linesOf();
    const refused = await platform.ada.post('/account', form);
    expect(refused.status).toBe(422);
    const page = await refused.text();
    expect(page).toContain(message);
    expect(page).toMatch(/aria-invalid="true" aria-describedby="[^"]*-error"/);
    expect(linesOf()).toEqual(before);
  });

  it('throttles guesses of the current password in a signed-in browser', async () => {
    for (let guess = 0; guess < 10; guess++)
      await platform.ada.post('/account', { old: `guess ${guess}`, password: NEW, again: NEW });
    const refused = await platform.ada.post('/account', { old: PASSWORD, password: NEW, again: NEW });
    expect(await refused.text()).toContain('Too many failed sign-ins');
    expect((await platform.signIn('ada', NEW)).cookie).toBeUndefined();
  });
});

describe('Administrators', () => {
  it('are added and can sign in', async () => {
    expect((await add('grace')).headers.get('location')).toBe(`${ADMIN}/administrators`);
    expect(names()).toEqual(['ada', 'grace']);
    const grace = await platform.signIn('grace');
    expect((await grace.get('/administrators')).status).toBe(200);
  });

  it('are changed after a review, without a password or a hash on the page', async () => {
    const before = linesOf();
    const below = '/administrators';
    const shown = await platform.ada.post(below, { name: 'grace', password: NEW, again: NEW });
    const html = await shown.text();
    expect([shown.status, textOf(html)]).toEqual([
      200,
      expect.stringContaining('grace + added: password ••••••'),
    ]);
    expect(html).not.toMatch(/battery|\$2y\$/);
    expect(linesOf()).toEqual(before);
    const again = await platform.ada.post(below, [...fieldsOf(html, 'confirm'), ['edit', 'yes']]);
    expect(fieldsOf(await again.text(), 'name')).toContainEqual(['name', 'grace']);
    await platform.ada.post(below, fieldsOf(html, 'confirm'));
    expect(names()).toEqual(['ada', 'grace']);
  });

  it('cannot be added twice, which keeps their password', async () => {
    const before = linesOf();
    const refused = await add('ada');
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('Administrator &quot;ada&quot; already exists.');
    expect(linesOf()).toEqual(before);
  });

  it('get a new password, which ends their sessions', async () => {
    await add('grace');
    const grace = await platform.signIn('grace');
    const set = await platform.ada.save('/administrators/grace/password', { password: NEW, again: NEW });
    expect(set.status).toBe(303);
    expect((await grace.get('/account')).status).toBe(303);
    expect((await platform.signIn('grace', NEW)).cookie).toBeDefined();
    expect((await platform.ada.get('/account')).status).toBe(200);
  });

  it('change their own password with the current one only', async () => {
    const before = linesOf();
    const sent = await platform.ada.post('/administrators/ada/password', { password: NEW, again: NEW });
    expect(sent.headers.get('location')).toBe(`${ADMIN}/account`);
    expect(linesOf()).toEqual(before);
  });

  it('are removed with their sessions', async () => {
    await add('grace');
    const grace = await platform.signIn('grace');
    expect((await platform.ada.save('/administrators/grace/remove', {})).status).toBe(303);
    expect(names()).toEqual(['ada']);
    expect((await grace.get('/account')).status).toBe(303);
  });

  it('remove themselves only with a confirmation', async () => {
    await add('grace');
    const unconfirmed = await platform.ada.post('/administrators/ada/remove', {});
    expect(unconfirmed.status).toBe(422);
    expect(names()).toEqual(['ada', 'grace']);
    await platform.ada.save('/administrators/ada/remove', { self: 'yes' });
    expect(names()).toEqual(['grace']);
    expect((await platform.ada.get('/account')).status).toBe(303);
  });

  it('cannot be removed if only one is left', async () => {
    const refused = await platform.ada.post('/administrators/ada/remove', { self: 'yes' });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('is the last administrator');
    expect(names()).toEqual(['ada']);
  });

  it('cannot all be removed by concurrent requests', async () => {
    await add('grace');
    const grace = await platform.signIn('grace');
    const reviewed = await Promise.all(
      (
        [
          [platform.ada, '/administrators/grace/remove'],
          [grace, '/administrators/ada/remove'],
        ] as const
      ).map(async ([client, below]) => {
        const html = await (await client.post(below, {})).text();
        return () => client.post(below, fieldsOf(html, 'confirm'));
      }),
    );
    await Promise.all(reviewed.map((confirm) => confirm()));
    expect(names()).toHaveLength(1);
  });

  it('are not found under an unknown name', async () => {
    expect((await platform.ada.get('/administrators/nobody/remove')).status).toBe(404);
    expect(
      (await platform.ada.post('/administrators/nobody/password', { password: NEW, again: NEW })).status,
    ).toBe(404);
    expect(names()).toEqual(['ada']);
  });

  it('are read from the file immediately after another tool changes it', async () => {
    writeFileSync(
      platform.file,
      `ada:${await hashWithBcrypt(NEW, 4)}\nbob:${await hashWithBcrypt(PASSWORD, 4)}\n`,
    );
    expect((await platform.ada.get('/account')).status).toBe(303);
    expect((await platform.signIn('bob')).cookie).toBeDefined();
  });

  it('do not exist without the file', async () => {
    rmSync(platform.file);
    expect((await platform.ada.get('/account')).status).toBe(303);
    expect((await platform.signIn('ada')).cookie).toBeUndefined();
    expect(await (await platform.stranger().get('/sign-in')).text()).toContain(
      'No administrator exists yet.',
    );
  });
});
