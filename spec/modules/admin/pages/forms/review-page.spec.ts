import { ADMIN, AdminClient, PASSWORD, startAdminPlatform } from '../../../../factories/admin/admin';
import { textOf } from '../../../../factories/admin/admin-pages';
import { fieldsOf } from '../../../../factories/admin/page-form';
import { reusedPlatform } from '../../../../factories/reused-platform';
import { setTestTimeout } from '../../../../factories/test-timeout';
import { WaitingModule } from '../../../../fixtures/waiting-module';

setTestTimeout(60);

const { platform } = reusedPlatform(() => startAdminPlatform({ extra: [new WaitingModule()] }));

/** Submits a form without following it. @returns the location of its review, below the admin */
async function submit(ada: AdminClient, below: string, fields: Record<string, string>): Promise<string> {
  const response = await fetch(`${platform.origin}${ADMIN}${below}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: ada.cookie ?? '', Origin: platform.origin },
    body: new URLSearchParams({ ...fields, csrf: await ada.csrf() }),
  });
  expect([response.status, await response.text()]).toEqual([303, '']);
  return (response.headers.get('location') ?? '').slice(ADMIN.length);
}

async function pageAt(client: AdminClient, below: string): Promise<readonly [status: number, html: string]> {
  const response = await client.get(below);
  return [response.status, await response.text()];
}

describe('The review of a submitted form', () => {
  it('has a page, which a browser can show again', async () => {
    const location = await submit(platform.ada, '/waiting', { seconds: '25' });
    expect(location).toMatch(/^\/reviews\/[\w-]{43}$/);
    for (const [status, html] of [
      await pageAt(platform.ada, location),
      await pageAt(platform.ada, location),
    ]) {
      expect(status).toBe(200);
      expect(html).toContain('<ins>25</ins>');
      expect(html).toContain(`action="${ADMIN}/waiting"`);
    }
  });

  it('is replaced by a message once the change is saved', async () => {
    const location = await submit(platform.ada, '/waiting', { seconds: '25' });
    const [, html] = await pageAt(platform.ada, location);
    expect((await platform.ada.post('/waiting', fieldsOf(html, 'confirm'))).status).toBe(303);
    const [status, gone] = await pageAt(platform.ada, location);
    expect(status).toBe(404);
    expect(textOf(gone)).toContain('This change was saved');
    expect(gone).toContain('<title>This change was saved ');
    expect(gone).not.toContain('name="confirm"');
  });

  it('remains while the change is not saved', async () => {
    const location = await submit(platform.ada, '/waiting', { seconds: '25' });
    const [, html] = await pageAt(platform.ada, location);
    const altered = fieldsOf(html, 'confirm').map(([name, value]): [string, string] => [
      name,
      name === 'seconds' ? '26' : value,
    ]);
    expect((await platform.ada.post('/waiting', altered)).status).toBe(412);
    expect((await pageAt(platform.ada, location))[0]).toBe(200);
  });

  it('is replaced by a message once the change is saved after another one of the same file', async () => {
    const location = await submit(platform.ada, '/waiting', { seconds: '25' });
    const [, html] = await pageAt(platform.ada, location);
    expect((await platform.ada.save('/waiting', { seconds: '26' })).status).toBe(303);
    const again = await platform.ada.post('/waiting', fieldsOf(html, 'confirm'));
    expect(again.status).toBe(412);
    const fields = fieldsOf(await again.text(), 'confirm');
    expect((await platform.ada.post('/waiting', fields)).status).toBe(303);
    expect(textOf((await pageAt(platform.ada, location))[1])).toContain('This change was saved');
  });

  it('of a password file is replaced by a message once it is saved', async () => {
    const fields = { name: 'grace', password: PASSWORD, again: PASSWORD };
    const location = await submit(platform.ada, '/administrators', fields);
    const [, html] = await pageAt(platform.ada, location);
    expect(html).not.toContain(PASSWORD);
    expect((await platform.ada.post('/administrators', fieldsOf(html, 'confirm'))).status).toBe(303);
    expect(textOf((await pageAt(platform.ada, location))[1])).toContain('This change was saved');
  });

  it('is shown to its session only, and not after sign-out', async () => {
    const location = await submit(platform.ada, '/waiting', { seconds: '25' });
    const other = await platform.signIn('ada');
    const [status, html] = await pageAt(other, location);
    expect([status, textOf(html)]).toEqual([
      404,
      expect.stringContaining('This review is no longer available'),
    ]);
    const ended = new AdminClient(platform.origin, platform.ada.cookie);
    await ended.post('/sign-out', {});
    expect((await pageAt(platform.ada, location))[0]).toBe(303);
    await platform.ada.post('/sign-in', { name: 'ada', password: PASSWORD });
    expect((await pageAt(platform.ada, location))[0]).toBe(404);
  });
});
