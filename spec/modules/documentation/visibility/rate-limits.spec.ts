import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf } from '../../../factories/http/requests';
import { ClubModule } from '../../../fixtures/club-module';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({
    extra: [new ClubModule()],
    local: {
      'platform-rate-limits': {
        Club: [{ limit: 100, window: 60, per: 'user' }],
        'Club-v2/Note': [{ limit: 10, window: 7_200, per: 'address', weights: { POST: 5 } }],
      },
    },
  });
});
afterAll(() => platform.stop());

const read = async (target: string): Promise<string> =>
  (await platform.request(`/platform/documentation/${target}`)).text();

describe('The documentation of rate limits', () => {
  it('lists those of each operation', async () => {
    const service = JSON.parse(await read('Club-v2/Note')) as {
      services?: unknown;
      operations: { http_method: string; rate_limits: unknown; response_status_codes: { code: number }[] }[];
    };
    const post = service.operations.find(({ http_method: method }) => method === 'POST');
    expect(post?.rate_limits).toEqual([
      { limit: 100, window: 60, per: 'user', description: '100 requests per minute per user' },
      {
        limit: 10,
        window: 7_200,
        per: 'address',
        weight: 5,
        description: '10 requests per 2 hours per address',
      },
    ]);
    expect(post?.response_status_codes.map(({ code }) => code)).toContain(429);
    expect(await read('Annex-v1')).not.toContain('rate_limits');
  });

  it('has a line on the pages, in the language of the pages', async () => {
    const page = await (
      await platform.request('/platform/documentation/Club-v2/Note', { headers: { Accept: 'text/html' } })
    ).text();
    expect(page).toContain(
      '<p class="rate-limits"><strong>Rate limits:</strong> 100 requests per minute per user; 10 requests per 2 hours per address (each counts 5).</p>',
    );
    expect(page).toContain('#rate_limited');
    expect(page).not.toContain('#too_many_failures');
  });

  it('is part of OpenAPI: the 429 with its headers, and those of a success', async () => {
    const document = await bodyOf(await platform.request('/platform/documentation/Club-v2?format=openapi'));
    const paths = document.paths as Record<
      string,
      Record<string, { responses: Record<string, { headers: object }> }>
    >;
    const { responses = {} } = paths['/v2/club/hall']?.get ?? {};
    expect(Object.keys(responses['429']?.headers ?? {})).toEqual([
      'Retry-After',
      'RateLimit-Policy',
      'RateLimit',
    ]);
    expect(Object.keys(responses['200']?.headers ?? {})).toEqual(
      expect.arrayContaining(['RateLimit-Policy', 'RateLimit']),
    );
  });

  it('is part of Markdown', async () => {
    expect(await read('Club-v1?format=markdown')).toContain('Rate limits: 100 requests per minute per user.');
  });
});
