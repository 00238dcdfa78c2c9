import { Type } from '@sinclair/typebox';
import path from 'node:path';
import type { BootstrapEvent, Module } from '../../../../src/framework';
import { startAdminPlatform, type AdminPlatform } from '../../../factories/admin/admin';
import { textOf } from '../../../factories/admin/admin-pages';
import { ROOT } from '../../../factories/platform';

/** An external module with listeners and observers. */
class ShopModule implements Module {
  readonly name = 'shop';
  readonly schemas = { shop: Type.Object({ token: Type.String(), colour: Type.String() }) };

  onBootstrap({ application: { events, observers } }: BootstrapEvent): void {
    events.attach(
      'route',
      function welcome() {
        return undefined;
      },
      7,
    );
    events.attach(
      '*',
      function trace() {
        return undefined;
      },
      1000,
    );
    observers.observe('completed', function countOrders() {
      return undefined;
    });
  }
}

let platform: AdminPlatform;
beforeAll(async () => {
  platform = await startAdminPlatform({
    extra: [new ShopModule()],
    local: {
      view_manager: { render_strategies: ['YamlStrategy'] },
      'platform-hosting': { apis: { Atlas: { description: '<script>alert(1)</script>' } } },
      'platform-operations': { access_log: { enabled: false } },
      shop: { token: 'hidden', colour: 'green' },
    },
  });
});
afterAll(() => platform.stop());

const text = async (below: string): Promise<string> => textOf(await (await platform.ada.get(below)).text());

/** Returns the rows of an event on the listeners page. */
async function listenersOf(id: string): Promise<string> {
  const html = await (await platform.ada.get('/listeners')).text();
  const from = html.indexOf(`<section class="event" aria-labelledby="${id}"`);
  return textOf(`<main>${html.slice(from, html.indexOf('</section>', from))}`);
}

describe('The listeners of an event', () => {
  it('are listed in calling order with module and file', async () => {
    const route = await listenersOf('application-route');
    expect(route).toMatch(
      /1000 trace every event shop .*7 welcome shop spec\/modules\/admin\/screens\/insight-screens\.spec\.ts:\d+ .*1 FrameworkListeners\.match framework src\/framework\/mvc\/framework-listeners\.ts:\d+ /,
    );
    expect(route).toMatch(
      /-50 AuthListeners\.authenticate mvc-auth src\/modules\/mvc-auth\/auth-listeners\.ts/,
    );
    expect(route.indexOf('-50 ')).toBeLessThan(route.indexOf('-600 '));
  });

  it('belong to a loaded module each', () => {
    const { modules, events, view } = platform.application;
    const known = ['framework', ...modules.map(({ name }) => name)];
    for (const { owner, name, source } of [...events.describe(), ...view.events.describe()]) {
      expect(known).toContain(owner);
      // Attached by code or by configuration.
      const isPlace = source?.startsWith(ROOT) === true || source?.startsWith('config/autoload/local.json:');
      expect([name, source, isPlace]).toEqual([name, source, true]);
    }
  });

  it('include those of view events and the strategies', async () => {
    expect(await listenersOf('view-renderer')).toMatch(/100 JsonStrategy\.selectRenderer framework/);
    expect(await listenersOf('strategies')).toMatch(
      /200 .*100 JsonStrategy framework .*1 NunjucksStrategy framework/,
    );
  });

  it('include strategies that are registered on the first render', async () => {
    expect(await listenersOf('strategies')).toMatch(/YamlStrategy .*documentation-formats/);
  });

  it('are shown with the observers', async () => {
    expect(await listenersOf('observers')).toMatch(/completed countOrders shop spec\/modules/);
  });
});

describe('The page of the request lifecycle', () => {
  it('shows the phases with their listeners as a picture', async () => {
    const html = await (await platform.ada.get('/listeners')).text();
    const titles = [...html.matchAll(/<text class="node-title"[^>]*>([^<]*)/g)].map(([, title]) => title);
    expect(titles).toEqual([
      ...['Route', 'Authentication', 'Authorization', 'Negotiation', 'Dispatch', 'Render'],
      expect.stringMatching(/more listeners/),
      'Response',
      expect.stringMatching(/more listeners/),
      'Error',
    ]);
    const rows = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...html.matchAll(/<a class="node [^"]*" href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(30);
    expect(links.filter((id) => !rows.has(id))).toEqual([]);
  });

  it('measures one request on demand', async () => {
    expect(await text('/listeners')).not.toContain(' ms');
    const answer = await platform.ada.post('/listeners', { path: '/v1/atlas/countries' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/platform/admin/listeners']);
    expect(await text('/listeners')).toMatch(
      /GET \/v1\/atlas\/countries responded 200 in [\d.]+ ms, .* FrameworkListeners\.match framework [^ ]+ [<\d. ]+ ms/,
    );
  });

  it('shows the form again for an invalid path, and measures for administrators only', async () => {
    const invalid = await platform.ada.post('/listeners', { path: 'https://example.com/<b>' });
    expect(invalid.status).toBe(422);
    const html = await invalid.text();
    expect(textOf(html)).toContain('Enter a path that starts with "/"');
    expect(html).toContain('value="https://example.com/&lt;b&gt;"');
    const foreign = { Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' };
    expect((await platform.ada.post('/listeners', { path: '/' }, foreign)).status).toBe(403);
    expect((await platform.stranger().post('/listeners', { path: '/' })).status).toBe(303);
  });
});

describe('The effective configuration', () => {
  it('is shown with the source of each value', async () => {
    const shown = await text('/configuration');
    expect(shown).toMatch(/shutdown_timeout 10 the defaults of the framework/);
    expect(shown).toMatch(/access_log\.enabled false Default: true config\/autoload\/local\.json:\d+:\d+/);
    expect(shown).toMatch(/port 0 .*requires a restart the environment/);
  });

  it('never shows a secret', async () => {
    const shown = await text('/configuration');
    expect(shown).not.toContain('"hidden"');
    expect(shown).toMatch(/token •••••• masked .* colour "green"/);
    // A search must not reveal it either.
    expect(await text('/configuration?search=hidden')).not.toContain('token');
  });

  it('can be searched by words in key, value and file', async () => {
    const found = await text('/configuration?search=access_log+local.json');
    expect(found).toContain('1 value found');
    expect(found).toContain('access_log.enabled');
    expect(found).not.toContain('shutdown_timeout');
    const nothing = await text('/configuration?search=no-such-thing');
    expect(nothing).toContain('No values found.');
    expect(nothing).not.toContain('0 values');
  });

  it('can be limited to values that differ from the defaults', async () => {
    const found = await text('/configuration?changed=yes');
    expect(found).toContain('access_log.enabled');
    expect(found).not.toContain('shutdown_timeout');
  });

  it('displays values and the search as text', async () => {
    const evil = '"><script>alert(1)</script>';
    const html = await (await platform.ada.get(`/configuration?search=${encodeURIComponent(evil)}`)).text();
    expect(html).not.toContain('<script>alert');
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;');
    const all = await (await platform.ada.get('/configuration')).text();
    expect(all).toContain('&lt;script&gt;alert(1)');
    expect(all).not.toContain('<script>alert');
  });

  it('is shown to administrators only', async () => {
    for (const below of ['', '/configuration', '/listeners', '/revisions', '/revisions/1']) {
      const answer = await platform.stranger().get(below);
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        expect.stringContaining('/sign-in'),
      ]);
    }
  });
});

it('does not reveal the project folder', async () => {
  const html = await (await platform.ada.get('/listeners')).text();
  expect(html).not.toContain(ROOT + path.sep);
});
