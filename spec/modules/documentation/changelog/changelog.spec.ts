import { defineApi, defineProcedure, defineRpcService, type Module } from '../../../../src/platform';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic } from '../../../factories/http/requests';
import { startRefusal } from '../../../factories/processes/start-refusal';
import { authentication, CLUB_ADAPTERS, CLUB_FILES, PASSWORD } from '../../../fixtures/club-module';

const ping = (route: string, visibility: 'public' | 'authenticated' = 'public') =>
  defineRpcService({ route, visibility, methods: { GET: defineProcedure({ handler: () => ({}) }) } });

/** Three versions; the second adds a service that is hidden from guests, the third removes one. */
class LedgerModule implements Module {
  readonly name = 'ledger';
  readonly apis = [
    defineApi({
      name: 'Ledger',
      versions: {
        1: { services: { Ping: ping('/ping'), Old: ping('/old') } },
        2: {
          release_date: '2026-05-04',
          release_notes: '# Audits\n\nNew: **audits** <script>alert(1)</script>.',
          services: { Ping: ping('/ping'), Old: ping('/old'), Audit: ping('/audit', 'authenticated') },
        },
        10: { inherits: 2, services: { Old: null } },
      },
    }),
    defineApi({ name: 'Single', versions: { 1: { services: { Ping: ping('/single') } } } }),
    defineApi({
      name: 'Noted',
      versions: { 1: { release_notes: 'First.', services: { Ping: ping('/noted') } } },
    }),
  ];
}

const PATH = '/platform/documentation/Ledger?changelog';

describe('the changelog of an API', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({
      extra: [new LedgerModule()],
      files: CLUB_FILES,
      local: {
        ...authentication(CLUB_ADAPTERS, { '*': 'basic' }, {}),
        server: { public_url: 'https://api.example.com' },
        'platform-hosting': {
          apis: { Ledger: { versions: { 1: { release_notes: 'From the configuration.' } } } },
        },
      },
    });
  });
  afterAll(() => platform.stop());

  const read = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
    const answer = await platform.request(path, { headers });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text();
  };

  it('lists the versions, newest first, with their release notes and changes', async () => {
    expect(JSON.parse(await read(`${PATH}&format=json`))).toEqual({
      api: 'Ledger',
      versions: [
        {
          version: 10,
          release_notes: '',
          from: 2,
          breaking: 1,
          changes: [expect.objectContaining({ kind: 'removed', subject: 'service', service: 'Old' })],
        },
        {
          version: 2,
          release_date: '2026-05-04',
          release_notes: '# Audits\n\nNew: **audits** <script>alert(1)</script>.',
          from: 1,
          breaking: 0,
          changes: [],
        },
        { version: 1, release_notes: 'From the configuration.' },
      ],
    });
  });

  it('contains hidden services for users only', async () => {
    const headers = { Authorization: basic('bob', PASSWORD) };
    const users = await read(`${PATH}&format=json`, headers);
    expect(JSON.parse(users)).toMatchObject({ versions: [{}, { changes: [{ service: 'Audit' }] }, {}] });
    for (const format of ['json', 'html', 'markdown'])
      expect(await read(`${PATH}&format=${format}`)).not.toContain('Audit"');
  });

  it('has a page with escaped release notes, which pages of the API link to', async () => {
    const page = await read(`${PATH}&format=html`);
    expect(page).toContain('<h1>Ledger changelog</h1>');
    expect(page).toContain('<time class="quiet" datetime="2026-05-04">2026-05-04</time>');
    expect(page).toContain('New: <strong>audits</strong> &lt;script&gt;');
    expect(page).toMatch(/Changes from version 2<\/a>: 1, <strong>1 breaking<\/strong>/);
    expect(page).toContain('href="?changelog&amp;format=markdown"');
    for (const version of ['Ledger-v1', 'Ledger-v10', 'Noted'])
      expect(await read(`/platform/documentation/${version}?format=html`)).toMatch(
        /href="\/platform\/documentation\/(Ledger|Noted)\?changelog"/,
      );
    expect(await read('/platform/documentation/Single?format=html')).not.toContain('?changelog');
  });

  it('is available as Markdown', async () => {
    const text = await read(`${PATH}&format=markdown`);
    expect(text).toContain('# Ledger: changelog');
    expect(text).toContain('## Version 2 (2026-05-04)\n\n### Audits\n\nNew: **audits**');
    expect(text).toContain('Changes from version 2: 1, 1 breaking.\n\n| Service | Change |');
    expect(text).toContain('No changes from version 1.');
  });

  it('is cached, with an entity tag', async () => {
    await read(`${PATH}&format=html`);
    const answer = await platform.request(`${PATH}&format=html`);
    const etag = answer.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"/);
    const again = await platform.request(`${PATH}&format=html`, { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
  });

  it('has a canonical URL, which is in the sitemap', async () => {
    const url = 'https://api.example.com/platform/documentation/Ledger?changelog';
    expect(await read('/platform/documentation/Ledger-v1?changelog&format=html')).toContain(
      `<link rel="canonical" href="${url}">`,
    );
    const sitemap = await read('/sitemap.xml');
    expect(sitemap).toContain(`<loc>${url}</loc>`);
    expect(sitemap).not.toContain('Single?changelog');
  });

  it.each([
    ['/platform/documentation?changelog', 400],
    ['/platform/documentation/Ledger/Ping?changelog', 400],
    ['/platform/documentation/Ledger?changelog&compare=1', 400],
    ['/platform/documentation/Ledger-v7?changelog', 404],
    ['/platform/documentation/Ledger?changelog&format=yaml', 406],
  ])('does not exist at %s: %d', async (path, status) => {
    expect((await platform.request(path)).status).toBe(status);
  });
});

it.each(['2026-02-30', 'soon', '12/31/2026', '2026-1-1', 'December 31, 2026'])(
  'The release date %j is an error at startup',
  async (date) => {
    const versions = { 1: { release_date: date } };
    const refusal = await startRefusal({
      local: { ...sampleAuthentication, 'platform-hosting': { apis: { Atlas: { versions } } } },
    });
    expect(refusal).toContain(`release_date is "${date}", which is not a date`);
  },
);
