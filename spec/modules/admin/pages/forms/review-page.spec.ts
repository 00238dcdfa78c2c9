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
    expect(status).toBe(410);
    expect(textOf(gone)).toContain('This change was saved');
    expect(gone).toContain('<title>This change was saved ');
    expect(gone).not.toContain('name="confirm"');
  });

  it('is replaced by that of the fields which are confirmed, and remains while it is not saved', async () => {
    const location = await submit(platform.ada, '/waiting', { seconds: '25' });
    const [, html] = await pageAt(platform.ada, location);
    const altered = fieldsOf(html, 'confirm').map(([name, value]): [string, string] => [
      name,
      name === 'seconds' ? '26' : value,
    ]);
    expect(await submit(platform.ada, '/waiting', Object.fromEntries(altered))).toBe(location);
    expect(await pageAt(platform.ada, location)).toEqual([200, expect.stringContaining('<ins>26</ins>')]);
  });

  it('is replaced by a message once the change is saved after another one of the same file', async () => {
    const location = await submit(platform.ada, '/waiting', { seconds: '25' });
    const [, html] = await pageAt(platform.ada, location);
    expect((await platform.ada.save('/waiting', { seconds: '26' })).status).toBe(303);
    const again = await submit(platform.ada, '/waiting', Object.fromEntries(fieldsOf(html, 'confirm')));
    expect(again).toBe(location);
    const [status, page] = await pageAt(platform.ada, location);
    expect([status, textOf(page)]).toEqual([200, expect.stringContaining('has changed since')]);
    const fields = fieldsOf(page, 'confirm');
    expect((await platform.ada.post('/waiting', fields)).status).toBe(303);
    expect(textOf((await pageAt(platform.ada, location))[1])).toContain('This change was saved');
  });

  it('shows a concurrent change at its address, then the difference to it, until that is saved', async () => {
    const form = { seconds: '25', tag: 'other' };
    const location = await submit(platform.ada, '/waiting', form);
    const [status, conflict] = await pageAt(platform.ada, location);
    expect([status, textOf(conflict)]).toEqual([200, expect.stringContaining('changed by someone else')]);
    const kept = Object.fromEntries(fieldsOf(conflict, 'tag'));
    expect(await submit(platform.ada, '/waiting', kept)).toBe(location);
    const [, html] = await pageAt(platform.ada, location);
    expect((await platform.ada.post('/waiting', fieldsOf(html, 'confirm'))).status).toBe(303);
    expect(textOf((await pageAt(platform.ada, location))[1])).toContain('This change was saved');
    // A second tab with the concurrent change.
    expect(await submit(platform.ada, '/waiting', kept)).toBe(location);
  });

  it.each(['confirm', 'edit'])(
    'says that its change was saved when it is submitted twice: %s',
    async (button) => {
      const location = await submit(platform.ada, '/waiting', { seconds: '25' });
      const fields = fieldsOf((await pageAt(platform.ada, location))[1], 'confirm');
      expect((await platform.ada.post('/waiting', fields)).status).toBe(303);
      expect((await platform.ada.save('/waiting', { seconds: '30' })).status).toBe(303);
      const again = Object.fromEntries([
        ...fields,
        ...(button === 'edit' ? [['edit', 'yes']] : []),
      ]) as Record<string, string>;
      expect(await submit(platform.ada, '/waiting', again)).toBe(location);
      expect(textOf((await pageAt(platform.ada, location))[1])).toContain('This change was saved');
    },
  );

  it('is saved once if it is submitted twice at the same moment', async () => {
    const location = await submit(platform.ada, '/waiting', { seconds: '25', tag: 'other' });
    const kept = fieldsOf((await pageAt(platform.ada, location))[1], 'tag');
    const fields = fieldsOf(await (await platform.ada.post('/waiting', kept)).text(), 'confirm');
    const both = await Promise.all([1, 2].map(() => platform.ada.post('/waiting', fields)));
    expect(both.map(({ status }) => status).sort()).toEqual([303, 410]);
    const second = both.find(({ status }) => status === 410);
    expect(textOf((await second?.text()) ?? '')).toContain('This change was saved');
  });

  it('leads back to its form with its fields, for its session and page, until it is saved', async () => {
    const texts = '/apis/Atlas-v1/texts';
    const location = await submit(platform.ada, texts, { '/description': 'Typed.' });
    const [, html] = await pageAt(platform.ada, location);
    const edited = await submit(platform.ada, texts, {
      ...Object.fromEntries(fieldsOf(html, 'confirm')),
      edit: 'yes',
    });
    const token = location.replace('/reviews/', '');
    expect(edited).toBe(`${texts}?review=${token}`);
    const description = async (client: AdminClient, below: string): Promise<string | undefined> =>
      new Map(fieldsOf((await pageAt(client, below))[1], '/description')).get('/description');
    expect(await description(platform.ada, edited)).toBe('Typed.');
    expect(await description(await platform.signIn('ada'), edited)).not.toBe('Typed.');
    expect(await description(platform.ada, `/apis/Admin-v1/texts?review=${token}`)).not.toBe('Typed.');
    await platform.ada.post(texts, fieldsOf(html, 'confirm'));
    await platform.ada.save(texts, { '/description': 'Later.' });
    expect(await description(platform.ada, edited)).toBe('Later.');
  });

  it('is replaced by a message once its change is saved after it was edited again, also twice', async () => {
    const texts = '/apis/Atlas-v1/texts';
    let location = await submit(platform.ada, texts, { '/description': 'First.' });
    const reviews = [location];
    const reviewed = async (): Promise<Record<string, string>> =>
      Object.fromEntries(fieldsOf((await pageAt(platform.ada, location))[1], 'confirm'));
    for (const description of ['Second.', 'Third.']) {
      const edit = { ...(await reviewed()), edit: 'yes' };
      const form = fieldsOf(
        (await pageAt(platform.ada, await submit(platform.ada, texts, edit)))[1],
        '/description',
      );
      location = await submit(platform.ada, texts, {
        ...Object.fromEntries(form),
        '/description': description,
      });
      reviews.push(location);
    }
    const outdated = await reviewed();
    // After another change of the file, the review is shown again.
    await platform.ada.save('/waiting', { seconds: '27' });
    expect(await submit(platform.ada, texts, outdated)).toBe(location);
    expect(await submit(platform.ada, texts, await reviewed())).toBe(texts);
    expect(new Set(reviews).size).toBe(3);
    for (const review of reviews)
      expect(textOf((await pageAt(platform.ada, review))[1])).toContain('This change was saved');
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
