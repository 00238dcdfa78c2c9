import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LOCAL_FILE } from '../../../../../src/framework';
import { startAdminPlatform } from '../../../../factories/admin/admin';
import { fieldsOf } from '../../../../factories/admin/page-form';
import { textOf } from '../../../../factories/admin/admin-pages';
import { sampleAuthentication } from '../../../../factories/platform';
import { reusedPlatform } from '../../../../factories/reused-platform';

const COUNTRY = '/versions/1/services/Country';
const GUIDE = `Basic ${Buffer.from('guide:explore').toString('base64')}`;

const { platform } = reusedPlatform(() => startAdminPlatform({ local: sampleAuthentication }));

const page = async (below: string): Promise<string> => (await platform.ada.get(below)).text();
const written = (...keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | undefined)?.[key],
    JSON.parse(readFileSync(path.join(platform.root, LOCAL_FILE), 'utf8')),
  );

/** Submits a form and confirms its preview. */
async function change(below: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const shown = await (await platform.ada.post(below, fields)).text();
  const done = await platform.ada.post(below, fieldsOf(shown, 'confirm'));
  expect([done.status, textOf(shown)]).toEqual([303, expect.stringContaining('Difference') as string]);
  return textOf(shown);
}

describe('The page of an API', () => {
  it('is linked from the list and shows the effective adapter with its source', async () => {
    expect(await page('/apis')).toContain('href="/platform/admin/apis/Atlas-v1"');
    const text = textOf(await page('/apis/Atlas-v1'));
    expect(text).toContain('Authentication: atlas-basic (entry Atlas-v1');
    expect(text).toMatch(/Version 1 Atlas-v1 · config\/autoload\/local\.json:\d+:\d+/);
  });

  it('maps the API to another adapter immediately, and a service to none', async () => {
    const fields = {
      'mode:Atlas-v1': 'some',
      'adapter:Atlas-v1': 'atlas-digest',
      'mode:Atlas-v1/Distance': 'none',
    };
    expect(await change('/apis/Atlas-v1', fields)).toContain(
      'Mapped Atlas-v1 to atlas-digest, Atlas-v1/Distance to no adapter.',
    );
    expect(written('platform-mvc-auth', 'authentication', 'map')).toEqual({
      'Atlas-v1': 'atlas-digest',
      'Atlas-v2': 'atlas-digest',
      'Atlas-v1/Distance': [],
    });
    const answer = await platform.request('/v1/atlas/visits');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Digest /);
  });

  it('sets the default adapter and that of the API list of the documentation', async () => {
    await change('/apis', {
      'mode:*': 'none',
      'mode:@documentation': 'some',
      'adapter:@documentation': 'atlas-digest',
    });
    expect(written('platform-mvc-auth', 'authentication', 'map')).toMatchObject({
      '*': [],
      '@documentation': 'atlas-digest',
    });
    const wrong = await platform.ada.post('/apis', { 'mode:*': 'some' });
    expect([wrong.status, textOf(await wrong.text())]).toEqual([
      422,
      expect.stringContaining('Choose at least one adapter, or another option.') as string,
    ]);
  });

  it('rejects Basic together with Digest with the reason, and unknown adapters at their entry', async () => {
    const both = await platform.ada.post('/apis/Atlas-v1', [
      ['mode:Atlas-v1', 'some'],
      ['adapter:Atlas-v1', 'atlas-basic'],
      ['adapter:Atlas-v1', 'atlas-digest'],
    ]);
    expect([both.status, textOf(await both.text())]).toEqual([
      422,
      expect.stringContaining('Basic together with Digest lets clients choose the weaker scheme') as string,
    ]);
    const none = await platform.ada.post('/apis/Atlas-v1', { 'mode:Atlas-v1/Visit': 'some' });
    const body = await none.text();
    expect(none.status).toBe(422);
    expect(body).toContain('id="Atlas-v1-Visit-error">Choose at least one adapter');
    const odd = await platform.ada.post('/apis/Atlas-v1', {
      'mode:Atlas-v1': 'some',
      'adapter:Atlas-v1': '<script>alert(1)</script>',
    });
    const shown = await odd.text();
    expect([odd.status, shown.includes('<script>alert')]).toEqual([422, false]);
  });

  it('responds with 404 for an unknown API, version or service', async () => {
    for (const below of ['Nope-v1', 'Atlas-v9', 'Atlas', 'constructor-v1']) {
      expect((await platform.ada.get(`/apis/${below}`)).status).toBe(404);
    }
    expect((await platform.ada.get('/apis/Atlas-v1/texts/Nope')).status).toBe(404);
    expect((await platform.ada.post('/apis/Atlas-v9/authorization', {})).status).toBe(404);
  });
});

describe('The authorization page', () => {
  it('shows the effective rule of every operation with its source', async () => {
    const text = textOf(await page('/apis/Atlas-v1/authorization'));
    expect(text).toContain('every signed-in user declared by the module "atlas"');
    expect(text).toContain(
      'platform-mvc-auth.authorization.deny_by_default the defaults of the module "mvc-auth"',
    );
  });

  it('changes the rules of several operations at once', async () => {
    await change('/apis/Atlas-v1/authorization', {
      'rule:Country.collection.GET': 'authenticated',
      'rule:Distance.rpc.GET': 'names',
      'names:Distance.rpc.GET': 'guide, @editors,',
    });
    expect(written('platform-mvc-auth', 'authorization')).toEqual({
      'Atlas-v1': {
        Country: { collection: { GET: 'authenticated' } },
        Distance: { GET: ['guide', '@editors'] },
      },
    });
    expect((await platform.request('/v1/atlas/countries')).status).toBe(401);
    const known = await platform.request('/v1/atlas/countries', { headers: { authorization: GUIDE } });
    expect(known.status).toBe(200);
    await change('/apis/Atlas-v1/authorization', { 'rule:Country.collection.GET': 'unset' });
    expect((await platform.request('/v1/atlas/countries')).status).toBe(200);
  });

  it('means the names that were entered, where the option was left as it was', async () => {
    await change('/apis/Atlas-v1/authorization', {
      'rule:Country.collection.GET': 'unset',
      'names:Country.collection.GET': 'guide',
      'rule:Distance.rpc.GET': 'guest',
      'names:Distance.rpc.GET': 'guide',
    });
    expect(written('platform-mvc-auth', 'authorization')).toEqual({
      'Atlas-v1': { Country: { collection: { GET: ['guide'] } }, Distance: { GET: 'guest' } },
    });
  });

  it('keeps rules that it cannot express: for nobody, and with names that contain commas', async () => {
    const local = JSON.parse(readFileSync(path.join(platform.root, LOCAL_FILE), 'utf8')) as Record<
      string,
      object
    >;
    const Country = { collection: { GET: ['Doe, J'] }, entity: { GET: [] } };
    const auth = { ...local['platform-mvc-auth'], authorization: { 'Atlas-v1': { Country } } };
    writeFileSync(
      path.join(platform.root, LOCAL_FILE),
      JSON.stringify({ ...local, 'platform-mvc-auth': auth }),
    );
    await platform.host.reload();
    const shown = await page('/apis/Atlas-v1/authorization');
    expect(textOf(shown)).toMatch(
      /nobody\s+platform-mvc-auth\.authorization\.Atlas-v1\.Country\.entity\.GET/,
    );
    const fields = Object.fromEntries(fieldsOf(shown, 'rule:Country.entity.GET'));
    expect(fields['names:Country.collection.GET']).toBe('Doe, J');
    await change('/apis/Atlas-v1/authorization', { ...fields, 'rule:Distance.rpc.GET': 'authenticated' });
    expect(written('platform-mvc-auth', 'authorization')).toEqual({
      'Atlas-v1': { Country, Distance: { GET: 'authenticated' } },
    });
  });

  it('shows errors of invalid names at their field with the input', async () => {
    const answer = await platform.ada.post('/apis/Atlas-v1/authorization', {
      'rule:Country.entity.GET': 'names',
      'names:Country.entity.GET': 'a:b, "><script>alert(1)</script>',
    });
    const body = await answer.text();
    expect(answer.status).toBe(422);
    expect(body).toContain('id="2-rule-error"');
    expect(body).toContain('value="a:b, &quot;&gt;&lt;script&gt;');
    expect(body).not.toContain('<script>alert');
  });
});

describe('The texts of an API', () => {
  it('can be changed and appear in JSON, HTML and OpenAPI', async () => {
    await change('/apis/Atlas-v1/texts/Country', {
      [`${COUNTRY}/description`]: 'Lands, **all** of them.',
      [`${COUNTRY}/columns/capital/description`]: 'Where its government sits.',
    });
    for (const accept of ['application/json', 'text/html', 'application/vnd.apidesc+json']) {
      const answer = await platform.request('/platform/documentation/Atlas-v1/Country', {
        headers: { accept },
      });
      const text = (await answer.text()).replaceAll(/<\/?strong>/g, '**');
      expect(text).toContain('Lands, **all** of them.');
      expect(text).toContain('Where its government sits.');
    }
  });

  it('are previewed as rendered text without being saved', async () => {
    const answer = await platform.ada.post('/apis/Atlas-v1/texts', {
      '/description': 'An *atlas* <script>alert(1)</script>',
      preview: 'yes',
    });
    const body = await answer.text();
    expect(answer.status).toBe(200);
    expect(body).toContain('<p>An <em>atlas</em> &lt;script&gt;alert(1)&lt;/script&gt;</p>');
    expect(body).not.toContain('<script>alert');
    expect(written('platform-hosting')).toBeUndefined();
  });

  it('describe the effect of emptying them, which restores the text from the code', async () => {
    await change('/apis/Atlas-v1/texts', { '/description': 'Mine.' });
    expect(textOf(await page('/apis/Atlas-v1/texts'))).toContain(
      'Leave empty to restore the text from the code: “Countries of the world',
    );
    await change('/apis/Atlas-v1/texts', { '/description': '' });
    expect(written('platform-hosting')).toEqual({ apis: { Atlas: {} } });
  });

  it('show errors at their field with the input', async () => {
    const answer = await platform.ada.post('/apis/Atlas-v1/texts', { '/description': '' });
    const body = await answer.text();
    expect(answer.status).toBe(422);
    expect(body).toContain('id="description-error">This text is declared in code');
  });

  it('of other pages are not changed by a form', async () => {
    const answer = await platform.ada.post('/apis/Atlas-v1/texts', { [`${COUNTRY}/description`]: 'x' });
    expect(textOf(await answer.text())).toContain('No changes to save.');
  });
});

describe('The documentation visibility of an API', () => {
  const VISIBILITY = `${COUNTRY}/visibility`;
  const asGuest = (below: string) =>
    platform.request(`/platform/documentation${below}`, { headers: { accept: 'application/json' } });

  it('is chosen next to the texts, takes effect immediately, and can be unset', async () => {
    expect(textOf(await page('/apis/Atlas-v1/texts/Country'))).toContain(
      'Uses the declared value: everyone.',
    );
    expect(await change('/apis/Atlas-v1/texts/Country', { [VISIBILITY]: 'authenticated' })).toContain(
      'Changed the documentation visibility of Atlas.',
    );
    expect(written('platform-hosting', 'apis', 'Atlas')).toEqual({
      versions: { 1: { services: { Country: { visibility: 'authenticated' } } } },
    });
    expect((await asGuest('/Atlas-v1/Country')).status).toBe(401);
    expect(await (await asGuest('/Atlas-v1')).text()).not.toContain('Country');
    const shown = await page('/apis/Atlas-v1/texts/Country');
    expect(shown).toContain('value="authenticated" checked');
    expect(textOf(shown)).toMatch(/From config\/autoload\/local\.json:\d+:\d+\./);
    await change('/apis/Atlas-v1/texts/Country', { [VISIBILITY]: 'unset' });
    expect((await asGuest('/Atlas-v1/Country')).status).toBe(200);
  });

  it('is chosen for all versions of an API, together with a text', async () => {
    const fields = { '/visibility': 'authenticated', '/description': 'For us.' };
    expect(await change('/apis/Atlas-v2/texts', fields)).toContain(
      'Changed the documentation visibility of Atlas and its texts.',
    );
    expect(written('platform-hosting', 'apis', 'Atlas')).toEqual({
      description: 'For us.',
      visibility: 'authenticated',
    });
    // For guests, it responds like an API that does not exist.
    for (const below of ['/Atlas-v1', '/Atlas-v2/Country']) expect((await asGuest(below)).status).toBe(404);
    expect(await (await asGuest('')).text()).not.toContain('Atlas');
  });

  it('warns on the form and in the preview if nobody could sign in to read a hidden API', async () => {
    const WARNING = 'so nobody can sign in to read it';
    expect(textOf(await page('/apis/Atlas-v1/texts'))).toContain(
      `no adapter is mapped to @documentation, ${WARNING}`,
    );
    // The adapter of Atlas-v1 authenticates readers of its hidden services.
    expect(textOf(await page('/apis/Atlas-v1/texts/Country'))).not.toContain(WARNING);
    const preview = await platform.ada.post('/apis/Atlas-v1/texts', { '/visibility': 'authenticated' });
    expect(textOf(await preview.text())).toContain('Map an adapter to "@documentation"');
    expect(written('platform-hosting')).toBeUndefined();

    await change('/apis', { 'mode:@documentation': 'some', 'adapter:@documentation': 'atlas-basic' });
    expect(textOf(await page('/apis/Atlas-v1/texts'))).not.toContain(WARNING);
    const readable = await platform.ada.post('/apis/Atlas-v1/texts', { '/visibility': 'authenticated' });
    expect(textOf(await readable.text())).not.toContain('Map an adapter');
  });

  it('rejects other values, and keeps the selection in the preview', async () => {
    const wrong = await platform.ada.post('/apis/Atlas-v1/texts', { '/visibility': '<b>nobody</b>' });
    const body = await wrong.text();
    expect([wrong.status, textOf(body)]).toEqual([
      422,
      expect.stringContaining('is not a visibility. Allowed values: public, authenticated.') as string,
    ]);
    expect(body).toContain('id="visibility-error"');
    expect(body).not.toContain('<b>nobody');
    const answer = await platform.ada.post('/apis/Atlas-v1/texts', {
      '/visibility': 'authenticated',
      preview: 'yes',
    });
    expect(await answer.text()).toContain('value="authenticated" checked');
    expect(written('platform-hosting')).toBeUndefined();
  });

  it('is changed only by the form of its own page', async () => {
    const answer = await platform.ada.post('/apis/Atlas-v1/texts', { [VISIBILITY]: 'authenticated' });
    expect(textOf(await answer.text())).toContain('No changes to save.');
  });
});

describe('The texts of a shared schema', () => {
  const shop = {
    versions: {
      1: {
        schemas: {
          Money: {
            type: 'object',
            description: 'A price.',
            properties: { amount: { type: 'integer', description: 'In cents.' } },
          },
        },
        services: {
          Article: {
            kind: 'rpc',
            route: '/article',
            description: 'An article.',
            methods: {
              GET: {
                description: 'Shows it.',
                handler: 'not-implemented',
                response: { type: 'object', properties: { price: { $ref: '#/schemas/Money' } } },
              },
            },
          },
        },
      },
    },
  };
  const MONEY = '/versions/1/schemas/Money';
  const { platform: own } = reusedPlatform(() =>
    startAdminPlatform({ local: { 'platform-hosting': { apis: { Shop: shop } } } }),
  );

  it('have a page of their own and apply to every operation that uses it', async () => {
    expect(await (await own.ada.get('/apis/Shop-v1/texts')).text()).toContain(
      'href="/platform/admin/apis/Shop-v1/texts/schemas/Money"',
    );
    const below = '/apis/Shop-v1/texts/schemas/Money';
    const texts = {
      [`${MONEY}/description`]: 'What it costs.',
      [`${MONEY}/properties/amount/description`]: 'Pence.',
    };
    const proposed = await (await own.ada.post(below, texts)).text();
    expect(textOf(proposed)).toContain('Changed the documentation of Shop.');
    const done = await own.ada.post(below, fieldsOf(proposed, 'confirm'));
    expect([done.status, done.headers.get('location')]).toEqual([303, `/platform/admin${below}`]);
    const documented = await own.request('/platform/documentation/Shop-v1?format=openapi');
    expect(await documented.text()).toContain('Pence.');
  });

  it('respond with 404 for an unknown schema', async () => {
    for (const name of ['Nope', '__proto__', 'Article'])
      expect((await own.ada.get(`/apis/Shop-v1/texts/schemas/${name}`)).status).toBe(404);
  });
});
