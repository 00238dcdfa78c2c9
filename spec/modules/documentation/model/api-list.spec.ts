import { defineApi, defineProcedure, defineRpcService, type Module } from '../../../../src/platform';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';

const ping = (route: string, visibility: 'public' | 'authenticated' = 'public') =>
  defineRpcService({ route, visibility, methods: { GET: defineProcedure({ handler: () => ({}) }) } });

/** An API with a long description, and one whose second service is hidden from guests. */
class ListedModule implements Module {
  readonly name = 'listed';
  readonly apis = [
    defineApi({
      name: 'Ledger',
      description: `# Ledger\n\nBooks **entries** & <balances>.\nSee [the rules](https://example.com).\n\nSecond paragraph.`,
      versions: {
        1: { services: { Ping: ping('/ping') } },
        2: { services: { Ping: ping('/ping'), Audit: ping('/audit', 'authenticated') } },
      },
    }),
    defineApi({
      name: 'Wordy',
      description: 'word '.repeat(500),
      versions: { 1: { services: { Ping: ping('/wordy') } } },
    }),
  ];
}

describe('the list of APIs', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ extra: [new ListedModule()], local: sampleAuthentication });
  });
  afterAll(() => platform.stop());

  const read = async (format: string): Promise<string> =>
    (await platform.request(`/platform/documentation?format=${format}`)).text();
  const entryOf = async (name: string): Promise<string> =>
    (await read('html')).split('<h2>').find((entry) => entry.includes(`>${name}</a></h2>`)) ?? '';

  it('shows the first paragraph of the description as text', async () => {
    expect(await entryOf('Ledger')).toContain('>Books entries &amp; &lt;balances&gt;. See the rules.</p>');
  });

  it('shortens long descriptions at the end of a word', async () => {
    expect(await entryOf('Wordy')).toMatch(/>(word ){50,60}word…<\/p>/);
  });

  it('counts the services and operations of the default version that the reader sees', async () => {
    expect(await entryOf('Ledger')).toContain('1 service, 1 operation. All operations are public.');
    expect(await entryOf('Atlas')).toMatch(/\d services, \d+ operations\. \d+ of \d+ operations require/);
  });

  it('links to each version, and names the default version', async () => {
    const entry = await entryOf('Ledger');
    expect(entry).toContain('href="/platform/documentation/Ledger-v1"');
    expect(entry).toMatch(/v2 <span class="quiet">default<\/span>/);
    expect(await entryOf('Wordy')).not.toContain('>default</span>');
  });

  it('states counts and authentication in Markdown, and keeps the JSON of the specification', async () => {
    const text = await read('markdown');
    expect(text).toContain('Versions: 1, 2. Default: 2. 1 service, 1 operation.');
    expect(text).toContain('Authentication: All operations are public.');
    expect(JSON.parse(await read('json'))).toContainEqual({ name: 'Ledger', versions: [1, 2] });
  });
});
