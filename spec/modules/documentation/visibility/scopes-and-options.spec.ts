import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf } from '../../../factories/http/requests';
import { CLUB_ADAPTERS, CLUB_FILES, ClubModule } from '../../../fixtures/club-module';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({
    extra: [new ClubModule()],
    files: CLUB_FILES,
    local: {
      'platform-mvc-auth': {
        authentication: {
          adapters: {
            ...CLUB_ADAPTERS,
            tokens: {
              adapter: 'JwtAdapter',
              options: { algorithms: ['HS256'], secret: 'a secret of at least thirty-two bytes' },
            },
          },
          map: { Club: ['tokens', 'basic'] },
        },
        authorization: {
          'Club-v1': {
            Members: { GET: ['scope:read'] },
            Board: { GET: ['scope:read', 'scope:admin', '@staff', 'ada'] },
          },
        },
      },
    },
  });
});
afterAll(() => platform.stop());

const rendered = async (below: string, accept: string): Promise<string> =>
  (await platform.request(`/platform/documentation${below}`, { headers: { accept } })).text();
const openApi = async (below: string): Promise<Record<string, unknown>> =>
  bodyOf(
    await platform.request(`/platform/documentation${below}`, {
      headers: { accept: 'application/vnd.oai.openapi+json' },
    }),
  );

describe('the documentation of an operation that scopes permit', () => {
  it('has the scopes in the object model, and none for other rules', async () => {
    const operations = async (service: string) =>
      (await bodyOf(await platform.request(`/platform/documentation/Club-v1/${service}`))).operations;
    expect(await operations('Members')).toMatchObject([
      { authorization_scopes: { any_of: ['read'], others_permitted: false } },
    ]);
    expect(await operations('Board')).toMatchObject([
      { authorization_scopes: { any_of: ['read', 'admin'], others_permitted: true } },
    ]);
    expect(JSON.stringify(await operations('Hall'))).not.toContain('scopes');
    expect(JSON.stringify(await operations('Board'))).not.toMatch(/staff|"ada"/);
  });

  it('requires them in OpenAPI, each as an alternative, and none of permitted users with a password', async () => {
    const { paths } = await openApi('/Club-v1');
    expect(paths).toMatchObject({
      '/v1/club/members': { get: { security: [{ tokens: ['read'] }, { basic: ['read'] }] } },
      '/v1/club/board': { get: { security: [{ tokens: ['read'] }, { tokens: ['admin'] }, { basic: [] }] } },
      '/v1/club/hall': { get: { security: [{}, { tokens: [] }, { basic: [] }] } },
    });
  });

  it('has no scopes in Swagger 2.0, whose schemes have none', async () => {
    const swagger: unknown = JSON.parse(await rendered('/Club-v1', 'application/vnd.swagger+json'));
    expect(swagger).toMatchObject({
      paths: {
        '/v1/club/board': { get: { security: [{ tokens: [] }, { basic: [] }] } },
      },
    });
  });

  it('names them on the page and in Markdown', async () => {
    expect(await rendered('/Club-v1/Members', 'text/html')).toContain(
      ' Requires the scope <code>read</code>.</p>',
    );
    expect(await rendered('/Club-v1/Board', 'text/html')).toContain(
      'Requires the scope <code>read</code> or <code>admin</code>; some users and groups are permitted without it.',
    );
    expect(await rendered('/Club-v1/Board', 'text/markdown')).toContain(
      'Requires the scope `read` or `admin`; some users and groups are permitted without it.',
    );
  });

  it.each(['application/json', 'application/vnd.oai.openapi+json', 'text/html', 'text/markdown'])(
    'describes the 403 in %s',
    async (accept) => {
      const text = (await rendered('/Club-v1/Members', accept)).replaceAll(/\\(?=")|&quot;/g, (mark) =>
        mark === '\\' ? '' : '"',
      );
      expect(text.replaceAll('\\_', '_')).toContain('The scope "read" is required (insufficient_scope)');
    },
  );
});

describe('the documentation of OPTIONS', () => {
  const sentence =
    '`OPTIONS` requires no authentication at any path: it responds with 204, and `Allow` lists the methods of the path.';

  it('states what guests receive, which is what they receive', async () => {
    const answer = await platform.request('/v1/club/members', { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect((await platform.request('/v1/club/members')).status).toBe(401);
    const service = await bodyOf(await platform.request('/platform/documentation/Club-v1/Members'));
    expect(service.options).toEqual({
      description: sentence,
      requires_authorization: false,
      response_status_codes: [{ code: 204, message: 'No Content' }],
    });
  });

  it.each(['/Club-v1', '/Club-v1/Note', ''])('is stated once in the documents of "%s"', async (below) => {
    // In OpenAPI, with the security schemes, which say what other methods require.
    const { components } = await openApi(below);
    const { securitySchemes } = components as {
      securitySchemes: Readonly<Record<string, { readonly description: string }>>;
    };
    const { 'no-adapter-configured': _, ...schemes } = securitySchemes;
    for (const { description } of Object.values(schemes)) expect(description).toContain(sentence);
    if (below === '') return;
    expect((await rendered(below, 'text/markdown')).split(sentence).length).toBe(2);
    expect((await rendered(below, 'text/html')).split('no authentication at any path: 204').length).toBe(2);
  });
});
