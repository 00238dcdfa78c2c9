import {
  ADMIN,
  AdminClient,
  PASSWORD,
  startAdminPlatform,
  type AdminPlatform,
} from '../../../factories/admin/admin';
import { textOf } from '../../../factories/admin/admin-pages';
import { fieldsOf, type FormFields } from '../../../factories/admin/page-form';
import { setTestTimeout } from '../../../factories/test-timeout';

setTestTimeout(60);

const HOUR_MS = 3_600_000;

let platform: AdminPlatform;
/** Milliseconds that the clock is ahead. */
let ahead: number;
beforeEach(async () => {
  ahead = 0;
  const now = performance.now.bind(performance);
  // Without a spy, which would record each of many calls.
  performance.now = () => now() + ahead;
  platform = await startAdminPlatform();
});
afterEach(async () => {
  await platform.stop();
  Reflect.deleteProperty(performance, 'now');
});

const TEXTS = '/apis/Atlas-v1/texts';
const described = (): unknown =>
  platform.application.configuration.valueAt(['platform-hosting', 'apis', 'Atlas', 'description']);

/** Submits a form after an hour. @returns the page to return to */
async function submitExpired(below: string, fields: FormFields): Promise<string> {
  const csrf = await platform.ada.csrf();
  ahead += HOUR_MS;
  const asked = await platform.ada.post(below, [...fields, ['csrf', csrf]]);
  const location = new URL(asked.headers.get('location') ?? '', platform.origin);
  expect([asked.status, location.pathname]).toEqual([303, `${ADMIN}/sign-in`]);
  return location.searchParams.get('return') ?? '';
}

/** Submits a form after an hour, and signs in. @returns the page that the browser is led to */
async function signInAfter(below: string, fields: FormFields): Promise<string> {
  const back = await submitExpired(below, fields);
  const signedIn = await platform.ada.post('/sign-in', { name: 'ada', password: PASSWORD, return: back });
  const to = signedIn.headers.get('location') ?? '';
  return (await platform.ada.get(to.slice(ADMIN.length))).text();
}

describe('A form that is submitted after its session expired', () => {
  it('is shown again with its fields after sign-in, and nothing was changed', async () => {
    const before = described();
    const page = await signInAfter(TEXTS, [['/description', 'Typed for <hours>']]);
    expect(textOf(page)).toContain('Your session had expired.');
    expect(fieldsOf(page, '/description')).toContainEqual(['/description', 'Typed for <hours>']);
    expect(described()).toEqual(before);
    // Continues without an error.
    const shown = await (await platform.ada.post(TEXTS, fieldsOf(page, '/description'))).text();
    const done = await platform.ada.post(TEXTS, fieldsOf(shown, 'confirm'));
    expect(done.headers.get('location')).toBe(ADMIN + TEXTS);
    expect(described()).toBe('Typed for <hours>');
  });

  it('is shown again though scripts of its page have noticed it before', async () => {
    const csrf = await platform.ada.csrf();
    const typed = [['/description', 'Typed for hours']] as const;
    ahead += HOUR_MS;
    const checked = await platform.ada.post(TEXTS, [...typed, ['preview', 'yes'], ['csrf', csrf]], {
      'Sec-Fetch-Dest': 'empty',
    });
    // Only the form itself takes one of the few places.
    expect(checked.headers.get('location')).toBe(`${ADMIN}/sign-in`);
    expect((await platform.ada.get('')).status).toBe(303);
    const asked = await platform.ada.post(TEXTS, [...typed, ['csrf', csrf]]);
    const location = new URL(asked.headers.get('location') ?? '', platform.origin);
    const back = location.searchParams.get('return') ?? '';
    const signedIn = await platform.ada.post('/sign-in', { name: 'ada', password: PASSWORD, return: back });
    const to = signedIn.headers.get('location') ?? '';
    const page = await (await platform.ada.get(to.slice(ADMIN.length))).text();
    expect(fieldsOf(page, '/description')).toContainEqual(['/description', 'Typed for hours']);
  });

  it('keeps its place in a list, and no password', async () => {
    const page = await signInAfter('/password-files/users?file=data/people.htpasswd&kind=htpasswd', [
      ['user', 'eve'],
      ['password', 'hidden words'],
    ]);
    expect(page).not.toContain('hidden words');
    const list = await signInAfter('/password-files', [
      ['file', 'data/typed.htdigest'],
      ['kind', 'htdigest'],
    ]);
    expect(fieldsOf(list, 'file')).toContainEqual(['file', 'data/typed.htdigest']);
  });

  it('is shown again on the pages that record, measure and test', async () => {
    for (const [below, name, typed] of [
      ['/traces', 'path', '/v1/atlas'],
      ['/listeners', 'path', '/v1/atlas/countries?region=Europe'],
      ['/adapters/administrators/sign-in', 'user', 'grace'],
    ] as const)
      expect(fieldsOf(await signInAfter(below, [[name, typed]]), name)).toContainEqual([name, typed]);
  });

  it('leads back to its page if that has nothing to keep', async () => {
    const below = '/adapters/administrators/remove';
    expect(await submitExpired(below, [['tag', 'seen']])).toBe(below);
  });

  it('can have the longest text, but is not kept above 256 KiB', async () => {
    const text = '世'.repeat(20_000);
    const page = await signInAfter(TEXTS, [['/description', text]]);
    expect(fieldsOf(page, '/description')).toContainEqual(['/description', text]);
    const csrf = await platform.ada.csrf();
    ahead += HOUR_MS;
    const long = { '/description': 'x'.repeat(256 * 1024), csrf };
    expect((await platform.ada.post(TEXTS, long)).status).toBe(413);
  });

  it('is shown to nobody else, and nowhere else', async () => {
    const back = await submitExpired(TEXTS, [['/description', 'Typed for hours']]);
    const answer = await platform.stranger().get(back);
    expect([answer.status, await answer.text()]).toEqual([303, '']);
    await platform.ada.post('/sign-in', { name: 'ada', password: PASSWORD });
    const other = await platform.ada.get(`/apis/Atlas-v2/texts${back.slice(back.indexOf('?'))}`);
    expect(await other.text()).not.toContain('Typed for hours');
    ahead += HOUR_MS;
    await platform.ada.post('/sign-in', { name: 'ada', password: PASSWORD });
    expect(await (await platform.ada.get(back)).text()).not.toContain('Typed for hours');
  });

  it('is not shown when another administrator signs in', async () => {
    const below = '/administrators';
    await platform.ada.save(below, { name: 'grace', password: PASSWORD, again: PASSWORD });
    const back = await submitExpired(TEXTS, [['/description', 'Typed for hours']]);
    const { ada } = platform;
    const signedIn = await ada.post('/sign-in', { name: 'grace', password: PASSWORD, return: back });
    const to = signedIn.headers.get('location') ?? '';
    const page = await (await ada.get(to.slice(ADMIN.length))).text();
    expect(page).toContain('<span class="who">grace ');
    expect(page).not.toContain('Typed for hours');
    expect(textOf(page)).not.toContain('Your session had expired.');
  });

  it('is shown again though the administrator has signed in again in another tab', async () => {
    const csrf = await platform.ada.csrf();
    const before = described();
    ahead += HOUR_MS;
    await platform.ada.post('/sign-in', { name: 'ada', password: PASSWORD });
    const typed = { '/description': 'Typed for hours', csrf };
    const refused = await platform.ada.post(TEXTS, typed);
    const page = await refused.text();
    expect(refused.status).toBe(403);
    expect(textOf(page)).toContain('Your session had expired.');
    expect(fieldsOf(page, '/description')).toContainEqual(['/description', 'Typed for hours']);
    expect(described()).toEqual(before);
    const shown = await (await platform.ada.post(TEXTS, fieldsOf(page, '/description'))).text();
    await platform.ada.post(TEXTS, fieldsOf(shown, 'confirm'));
    expect(described()).toBe('Typed for hours');
  });

  it('is not shown where nothing says from which page it is', async () => {
    const refused = await platform.request(ADMIN + TEXTS, {
      method: 'POST',
      body: new URLSearchParams({ '/description': 'forged', csrf: 'forged' }),
      headers: { Cookie: platform.ada.cookie ?? '' },
    });
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('This form belongs to an expired session.'),
    ]);
  });

  it('is not kept with a forged token', async () => {
    const { cookie } = platform.ada;
    ahead += HOUR_MS;
    const asked = await new AdminClient(platform.origin, cookie).post(TEXTS, {
      '/description': 'forged',
      csrf: 'forged',
    });
    expect(asked.headers.get('location')).toBe(`${ADMIN}/sign-in?unsaved=yes`);
  });
});

describe('The idle timeout', () => {
  it('begins again with each page that is opened, and not with what its script requests', async () => {
    const statuses: number[] = [];
    for (const below of ['/nodes', '/nodes/live', '/nodes/live']) {
      ahead += HOUR_MS / 3;
      statuses.push((await platform.ada.get(below)).status);
    }
    expect(statuses).toEqual([200, 200, 303]);
  });
});

describe('The preview of a change', () => {
  it('leads back to the form with its fields', async () => {
    const fields = [['/description', 'Another text']] as const;
    const shown = await (await platform.ada.post(TEXTS, fields)).text();
    expect(shown).toContain('Edit again');
    const again = await platform.ada.post(TEXTS, [...fieldsOf(shown, 'confirm'), ['edit', 'yes']]);
    expect(again.status).toBe(200);
    expect(fieldsOf(await again.text(), '/description')).toContainEqual(['/description', 'Another text']);
    expect(described()).not.toBe('Another text');
  });

  it('is not offered again by a page without a form', async () => {
    await platform.ada.post(TEXTS, { '/description': 'Another text' });
    const answer = await platform.ada.post('/administrators/ada/remove', { self: 'yes', edit: 'yes' });
    expect(textOf(await answer.text())).toContain('Remove');
    expect((await platform.ada.get('/account')).status).toBe(200);
  });
});

describe('A form that is submitted after its administrator has signed out in another tab', () => {
  const NOT_SAVED = 'If you have just submitted a change, it was not saved.';

  it.each([TEXTS, '/revisions/1/undo'])('leads to a sign-in page that says so: %s', async (below) => {
    const csrf = await platform.ada.csrf();
    const { cookie } = platform.ada;
    await platform.ada.post('/sign-out', {});
    platform.ada.cookie = cookie;
    const answer = await platform.ada.post(below, { '/description': 'Typed.', csrf });
    const location = answer.headers.get('location') ?? '';
    const html = await (await platform.ada.get(location.slice(ADMIN.length))).text();
    expect([answer.status, textOf(html)]).toEqual([303, expect.stringContaining(NOT_SAVED)]);
  });

  it('is not mentioned to those who open a page', async () => {
    const answer = await platform.stranger().get(TEXTS);
    const location = answer.headers.get('location') ?? '';
    const html = await (await platform.stranger().get(location.slice(ADMIN.length))).text();
    expect(textOf(html)).toContain('Sign in');
    expect(textOf(html)).not.toContain(NOT_SAVED);
  });
});
