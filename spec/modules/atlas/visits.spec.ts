import { startTestPlatform } from '../../factories/platform';
import { basic, bodyOf, sendJson } from '../../factories/http/requests';
import { reusedPlatform } from '../../factories/reused-platform';
import { HOSTING } from '../../factories/processes/start-refusal';
import { authenticatedBy, PEOPLE } from '../../fixtures/people';

describe('the visits of a user', () => {
  const local = authenticatedBy('basic');
  const { platform } = reusedPlatform(() =>
    startTestPlatform({ modules: [...HOSTING, 'atlas'], local, files: PEOPLE }),
  );

  const as = (user: string) => ({
    ask: (to = '', init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      headers.set('Authorization', basic(user, 'password'));
      return platform.request(`/v1/atlas/visits${to}`, { ...init, headers });
    },
  });
  const ada = as('ada');
  const bob = as('bob');
  const idOf = async (answer: Response) => String((await bodyOf(answer)).visit_id);

  it('are empty at first', async () => {
    expect(await bodyOf(await ada.ask())).toMatchObject({ visits: [], total_items: 0 });
  });

  it('are created with an identifier, a Location, and the country code in upper case', async () => {
    const answer = await ada.ask('', sendJson({ country_code: 'de' }));
    expect(answer.status).toBe(201);
    const visit = await bodyOf(answer);
    expect(visit).toEqual({
      visit_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      country_code: 'DE',
      visited_on: null,
      note: '',
    });
    const location = answer.headers.get('location') ?? '';
    expect(location).toBe(`/v1/atlas/visits/${String(visit.visit_id)}`);
    expect(await bodyOf(await ada.ask(location.replace('/v1/atlas/visits', '')))).toEqual(visit);
  });

  it('are listed in the order of creation', async () => {
    for (const country_code of ['FR', 'DE', 'AT']) await ada.ask('', sendJson({ country_code }));
    expect(await bodyOf(await ada.ask())).toMatchObject({
      visits: [{ country_code: 'FR' }, { country_code: 'DE' }, { country_code: 'AT' }],
    });
    expect(await bodyOf(await ada.ask('?page_size=1&page=3'))).toMatchObject({
      visits: [{ country_code: 'AT' }],
      total_items: 3,
    });
  });

  it('are changed by a patch', async () => {
    const created = await ada.ask(
      '',
      sendJson({ country_code: 'DE', visited_on: '2025-06-21', note: 'Rain.' }),
    );
    const id = await idOf(created);
    const changed = await ada.ask(`/${id}`, sendJson({ note: 'Good bread.' }, 'PATCH'));
    expect(await changed.json()).toEqual({
      visit_id: id,
      country_code: 'DE',
      visited_on: '2025-06-21',
      note: 'Good bread.',
    });
    const forgotten = await ada.ask(`/${id}`, sendJson({ visited_on: null, country_code: 'fr' }, 'PATCH'));
    expect(await bodyOf(forgotten)).toMatchObject({
      visited_on: null,
      country_code: 'FR',
      note: 'Good bread.',
    });
    expect(await bodyOf(await ada.ask())).toMatchObject({ total_items: 1 });
  });

  it('can be deleted', async () => {
    const id = await idOf(await ada.ask('', sendJson({ country_code: 'DE' })));
    expect((await ada.ask(`/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await ada.ask(`/${id}`)).status).toBe(404);
    expect((await ada.ask(`/${id}`, { method: 'DELETE' })).status).toBe(404);
  });

  it('cannot be read, changed or deleted by another user', async () => {
    const id = await idOf(await ada.ask('', sendJson({ country_code: 'DE' })));
    expect(await bodyOf(await bob.ask())).toMatchObject({ visits: [], total_items: 0 });
    expect((await bob.ask(`/${id}`)).status).toBe(404);
    await ada.ask(`/${id}`, sendJson({ note: 'Secret' }, 'PATCH'));
    for (const init of [{}, sendJson({ q: 'secret' })]) {
      const found = await bob.ask('method' in init ? '/query' : '?q=secret', init);
      expect(await bodyOf(found)).toMatchObject({ visits: [], total_items: 0 });
    }
    expect((await bob.ask(`/${id}`, sendJson({ note: 'Mine.' }, 'PATCH'))).status).toBe(404);
    expect((await bob.ask(`/${id}`, { method: 'DELETE' })).status).toBe(404);
    expect(await bodyOf(await ada.ask(`/${id}`))).toMatchObject({ note: 'Secret' });
  });

  it('are the same in both versions of the API', async () => {
    await ada.ask('', sendJson({ country_code: 'DE' }));
    const headers = { Authorization: basic('ada', 'password') };
    const answer = await platform.request('/v2/atlas/visits', { headers });
    expect(await bodyOf(answer)).toMatchObject({ total_items: 1 });
  });

  it.each(['GET', 'POST'])('require authentication: %s responds 401', async (method) => {
    const answer = await platform.request('/v1/atlas/visits', { method });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="People", charset="UTF-8"');
  });

  it.each([
    [{ country_code: 'XX' }, '/country_code', 'country'],
    [{ country_code: 'Germany' }, '/country_code', 'pattern'],
    [{}, '/country_code', 'required'],
    [{ country_code: 'DE', note: 'x'.repeat(501) }, '/note', 'maxLength'],
    [{ country_code: 'DE', visit_id: '1' }, '/visit_id', 'x-read-only'],
  ])('are rejected with 422 if they are invalid: %#', async (visit, pointer, keyword) => {
    const answer = await ada.ask('', sendJson(visit));
    expect(answer.status).toBe(422);
    expect((await bodyOf(answer)).errors).toEqual([expect.objectContaining({ pointer, keyword })]);
    expect(await bodyOf(await ada.ask())).toMatchObject({ total_items: 0 });
  });

  it('are rejected for a date that does not exist and for an unknown country', async () => {
    expect((await ada.ask('', sendJson({ country_code: 'DE', visited_on: '2025-02-30' }))).status).toBe(422);
    const id = await idOf(await ada.ask('', sendJson({ country_code: 'DE' })));
    expect((await ada.ask(`/${id}`, sendJson({ country_code: 'XX' }, 'PATCH'))).status).toBe(422);
    expect(await bodyOf(await ada.ask(`/${id}`))).toMatchObject({ country_code: 'DE' });
  });
});

describe('the visits of Atlas with guest access', () => {
  it('still require a user', async () => {
    const open = { GET: 'guest', POST: 'guest', QUERY: 'guest' };
    const local = { 'platform-mvc-auth': { authorization: { Atlas: { Visit: { collection: open } } } } };
    const platform = await startTestPlatform({ modules: [...HOSTING, 'atlas'], local });
    try {
      expect((await platform.request('/atlas/visits')).status).toBe(403);
      expect((await platform.request('/atlas/visits/query', sendJson({ q: 'x' }))).status).toBe(403);
    } finally {
      await platform.stop();
    }
  });
});
