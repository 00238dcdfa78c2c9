import { LocalConfiguration, type ConfigObject } from '../../../../../src/framework';
import { ConfigurationChanges } from '../../../../../src/modules/admin/changes/configuration-changes';
import { startAdminPlatform, type AdminPlatform } from '../../../../factories/admin/admin';
import { textOf } from '../../../../factories/admin/admin-pages';
import { reusedPlatform } from '../../../../factories/reused-platform';
import { setTestTimeout } from '../../../../factories/test-timeout';

setTestTimeout(60);

/** APIs with one service each; every fifth requires a user. */
function apis(count: number): ConfigObject {
  const entries = Array.from({ length: count }, (_, at): [string, ConfigObject] => [
    `Api${at}`,
    {
      versions: {
        '1': {
          services: {
            Thing: {
              kind: 'rpc',
              route: `/things/${at}`,
              description: 'A thing.',
              authorization: at % 5 === 0 ? 'authenticated' : 'guest',
              methods: { GET: { description: 'Shows it.', handler: 'not-implemented' } },
            },
          },
        },
      },
    },
  ]);
  return { 'platform-hosting': { apis: Object.fromEntries(entries) } };
}

const http = (realm: string, files: ConfigObject): ConfigObject => ({
  adapter: 'HttpAdapter',
  options: { accept_schemes: ['basic'], realm, ...files },
});

const AUTHENTICATION: ConfigObject = {
  'platform-mvc-auth': {
    authentication: {
      adapters: {
        staff: http('Staff', { htpasswd: 'data/staff.htpasswd', htgroup: 'data/staff.groups' }),
        idle: http('Idle', { htpasswd: 'data/idle.htpasswd' }),
      },
      map: { 'Atlas-v1': 'staff', 'Atlas-v2': 'staff' },
    },
    authorization: { 'Atlas-v1': { Country: { collection: { GET: ['@editors', '@<b>', 'eve'] } } } },
  },
};
const FILES = {
  'data/staff.htpasswd': 'ada:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n',
  'data/staff.groups': 'editors: ada bob\nreaders: ada\n',
  'data/idle.htpasswd': '',
};

let platform: AdminPlatform;

const page = async (query = ''): Promise<string> =>
  await (await platform.ada.get(`/access-map${query}`)).text();
/** The nodes of the picture: name and link. */
const nodesOf = (html: string): readonly string[] =>
  [...html.matchAll(/<a class="node node-\w+" href="([^"]*)"><title>([^<]*)/g)].map(
    ([, href = '', label = '']) => `${label} ${href.replace('/platform/admin', '')}`,
  );

describe('The access map', () => {
  const reused = reusedPlatform(() => startAdminPlatform({ local: AUTHENTICATION, files: FILES }));
  beforeEach(() => {
    ({ platform } = reused);
  });

  it('shows versions, adapters, user sources and groups as links, with their gaps', async () => {
    const nodes = nodesOf(await page());
    expect(nodes).toEqual(
      expect.arrayContaining([
        'Atlas v1: 3 services. Gap: The rules name users that no password file has: eve. Leads to staff. /apis/Atlas-v1/authorization',
        'Atlas v2: 3 services. Leads to staff. /apis/Atlas-v2',
        'Administrators: Admin accounts. Leads to @viewer, @editor, @administrator. /administrators',
        'staff: Basic. Leads to data/staff.htpasswd. /adapters/staff',
        'data/staff.htpasswd: 1 user. Leads to @editors, @&lt;b&gt;, 1 other group. /password-files/users?file=data%2Fstaff.htpasswd&amp;kind=htpasswd',
        '@editors: 2 users, 2 operations. /apis/Atlas-v1/authorization',
        'idle: Basic. Gap: The adapter &quot;idle&quot; guards nothing: no service is mapped to it. Leads to data/idle.htpasswd. /apis',
      ]),
    );
  });

  it('has the same content as a table', async () => {
    const table = textOf((await page()).slice((await page()).indexOf('<table')).replace('<table', '<main'));
    expect(table).toMatch(
      /Atlas v1 3 services Gap: unknown user staff Basic data\/staff\.htpasswd 1 user @editors/,
    );
    expect(table).toMatch(/– idle Basic Gap: guards nothing data\/idle\.htpasswd 0 users Gap: no users –/);
  });

  it('lists the gaps with links to the pages that fix them, which exist', async () => {
    const html = await page();
    const list = html.slice(html.indexOf('id="gaps"'));
    expect(textOf(`<main>${list}`)).toContain(
      'data/idle.htpasswd : Nobody can sign in: there are no users in data/idle.htpasswd. Add a user',
    );
    const links = [...html.matchAll(/href="\/platform\/admin(\/[^"#]*)"/g)].map(([, path = '']) =>
      path.replaceAll('&amp;', '&'),
    );
    for (const path of new Set(links)) {
      const { status } = await platform.ada.get(path);
      // The page of an adapter leads to its form.
      expect([path, status]).toEqual([path, /^\/adapters\/\w+$/.test(path) ? 303 : 200]);
    }
  });

  it('has neither styles in attributes nor unescaped names', async () => {
    const html = await page();
    expect(html).not.toContain(' style=');
    expect(html).not.toContain('<b>');
  });

  it('follows a change of the map', async () => {
    const edits = [{ path: ['platform-mvc-auth', 'authentication', 'map', 'Atlas-v1'], value: [] }];
    const changes = new ConfigurationChanges(platform.host, new LocalConfiguration(platform.root));
    await changes.apply({ summary: 'Opened Atlas', subject: [], edits }, { name: 'bob', via: 'command' });
    expect(nodesOf(await page())[0]).toMatch(
      /^Atlas v1: .*no adapter is mapped.* Leads to No adapter\. \/apis\/Atlas-v1$/,
    );
  });

  it('is shown to administrators only', async () => {
    expect((await platform.stranger().get('/access-map')).status).toBe(303);
  });
});

describe('The access map of many APIs', () => {
  const files = { 'config/autoload/many.global.json': JSON.stringify(apis(60)) };
  const reused = reusedPlatform(() => startAdminPlatform({ files }));
  beforeEach(() => {
    ({ platform } = reused);
  });

  it('groups versions with the same adapters and rules, those with gaps first', async () => {
    const nodes = nodesOf(await page());
    expect(nodes.findIndex((one) => one.startsWith('Admin v1'))).toBeGreaterThan(2);
    expect(nodes.slice(0, 3)).toContainEqual(
      expect.stringMatching(/^12 API versions: Api0 v1, Api5 v1, Api10 v1 and 9 more\. Gap: .*like=Api0-v1$/),
    );
    expect(nodes.some((one) => one.startsWith('48 API versions'))).toBe(true);
    expect(nodes.length).toBeLessThan(20);
  });

  it('lists the versions of a group, and pages and filters them', async () => {
    expect(nodesOf(await page('?like=Api0-v1')).filter((one) => one.startsWith('Api'))).toHaveLength(12);
    const all = await page('?like=Api1-v1');
    expect(nodesOf(all).filter((one) => one.startsWith('Api'))).toHaveLength(20);
    expect(textOf(all)).toContain('Page 1 of 3');
    expect(nodesOf(await page('?search=api59')).map((one) => one.split(':')[0])).toEqual(['Api59 v1']);
    const gaps = nodesOf(await page('?gaps=yes'));
    expect(gaps.filter((one) => !one.includes('Gap:') && one.includes('API versions'))).toEqual([]);
    expect(textOf(await page('?search=nothing'))).toContain('No API versions found.');
  });
});
