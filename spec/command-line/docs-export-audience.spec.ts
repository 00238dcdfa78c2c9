import { crawlSite } from '../../src/command-line/docs/site';
import {
  defineApi,
  defineProcedure,
  defineRpcService,
  Type,
  type ConfigObject,
  type Module,
} from '../../src/platform';
import { startTestPlatform } from '../factories/platform';
import { authenticatedBy, PEOPLE } from '../fixtures/people';

const service = (word: string, extra: object = {}) =>
  defineRpcService({
    route: `/${word}`,
    description: `About the ${word}.`,
    methods: {
      GET: defineProcedure({
        handler: () => ({}),
        response: Type.Object({ [`${word}_field`]: Type.String({ examples: [`${word} example`] }) }),
      }),
    },
    ...extra,
  });

/** A service that version 1 hides and version 2 does not, one that both hide, and a hidden API. */
const houses: Module = {
  name: 'houses',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'House',
      versions: {
        1: {
          services: {
            Hall: service('hall'),
            Attic: service('attic', { visibility: 'authenticated' }),
            Cellar: service('cellar', { visibility: 'authenticated' }),
          },
        },
        2: {
          services: {
            Hall: service('hall'),
            Attic: service('attic'),
            Cellar: service('cellar', { visibility: 'authenticated' }),
            Wide: service('wide', {
              methods: {
                GET: defineProcedure({
                  handler: () => ({}),
                  response: Type.Object(
                    Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`w${at}`, Type.String()])),
                  ),
                }),
                POST: defineProcedure({
                  handler: () => ({}),
                  fields: Type.Object(
                    Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`w${at}`, Type.String()])),
                  ),
                }),
              },
            }),
          },
        },
      },
    }),
    defineApi({
      name: 'Bunker',
      visibility: 'authenticated',
      versions: { 1: { services: { Depth: service('depth') } } },
    }),
  ],
};

const people = authenticatedBy('people');
const adapters = (people['platform-mvc-auth'] as { authentication: object }).authentication;
const authentication = (map: ConfigObject): ConfigObject => ({
  'platform-mvc-auth': { authentication: { ...adapters, map } },
});

describe.each([
  ['where users sign in to read more', { '@documentation': 'people' }],
  ['where a service has its own adapter', { 'House/Cellar': 'people' }],
  ['where there is no adapter', { '*': [] }],
])('what is hidden from guests is not exported, %s', (_, map) => {
  let site: ReadonlyMap<string, Buffer>;
  beforeAll(async () => {
    const platform = await startTestPlatform({ extra: [houses], files: PEOPLE, local: authentication(map) });
    site = await crawlSite(platform.origin);
    await platform.stop();
  });

  it('in any format, nor as the name of a file', () => {
    for (const format of [
      'index.html',
      'documentation.json',
      'documentation.yaml',
      'markdown.md',
      'swagger.json',
    ])
      expect([...site.keys()]).toContain(`House-v1/${format}`);
    for (const [name, bytes] of site) {
      const text = `${name}\n${bytes.toString()}`;
      expect([name, /cellar|bunker|depth/i.exec(text)?.[0]]).toEqual([name, undefined]);
      // It is shown where it is open, and not mentioned elsewhere.
      if (!name.startsWith('House-v1')) continue;
      expect([name, /attic/i.exec(text)?.[0]]).toEqual([name, undefined]);
    }
  });

  it('and what is open in one version is exported, without a comparison to the other', () => {
    expect(site.has('House-v2/Attic/index.html')).toBe(true);
    expect([...site.keys()].filter((name) => /Attic.*compare|compare.*Attic/.test(name))).toEqual([]);
    for (const [name, bytes] of site)
      if (name.includes('compare')) expect(bytes.toString()).not.toMatch(/attic/i);
  });

  it('while what exceeds a page is in the file that it links to', () => {
    const text = site.get('House-v2/Wide/markdown.md')?.toString() ?? '';
    expect(text).toContain('Not all fields are shown; see [openapi](openapi.json).');
    const page = site.get('House-v2/Wide/index.html')?.toString() ?? '';
    expect(page).toMatch(/100 more fields; see <a href="openapi.json"/);
    expect(site.get('House-v2/Wide/openapi.json')?.toString()).toContain('"w399"');
  });
});
