import { bodyOf } from '../../../factories/http/requests';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ local: sampleAuthentication });
});
afterAll(() => platform.stop());

const get = (below: string, accept = 'application/json'): Promise<Response> =>
  platform.request(`/platform/documentation/${below}`, { headers: { accept } });

describe('the comparison of two versions', () => {
  it('is available as JSON', async () => {
    const answer = await bodyOf(await get('Atlas-v2?compare=1'));
    expect(answer).toMatchObject({ api: 'Atlas', from: 1, to: 2 });
    const changes = answer.changes as readonly Record<string, unknown>[];
    expect(changes).toContainEqual({
      kind: 'removed',
      subject: 'field',
      service: 'Country',
      anchor: null,
      operation: null,
      name: 'currency',
      detail: 'string or null',
      breaking: true,
    });
    expect(changes.find(({ name }) => name === 'currencies.code')).toMatchObject({
      kind: 'added',
      breaking: false,
    });
    expect(answer.breaking).toBe(changes.filter(({ breaking }) => breaking).length);
  });

  it('is available as Markdown', async () => {
    const text = await (await get('Atlas-v2?compare=1', 'text/markdown')).text();
    expect(text).toContain('# Atlas: version 2 compared with version 1\n');
    expect(text).toContain('| removed |  | field `currency` | string or null | **yes** |');
  });

  it('is available as a page, which is cached like others', async () => {
    const [first, second] = [
      await get('Atlas-v2?compare=1', 'text/html'),
      await get('Atlas-v2?compare=1', 'text/html'),
    ];
    expect(await first.text()).toContain('to version 2:');
    expect(first.headers.get('etag')).toBe(second.headers.get('etag'));
    expect(first.headers.get('link')).toBeNull();
    expect((await get('Atlas-v2', 'text/html')).headers.get('etag')).not.toBe(first.headers.get('etag'));
  });

  it('can be limited to one service', async () => {
    const answer = await bodyOf(await get('Atlas-v2/Visit?compare=1'));
    expect(answer).toMatchObject({ api: 'Atlas', service: 'Visit', changes: [] });
  });

  it('works in both directions', async () => {
    const answer = await bodyOf(await get('Atlas-v1?compare=2'));
    expect(answer.changes).toContainEqual(expect.objectContaining({ kind: 'added', name: 'currency' }));
  });

  it.each([
    ['Atlas-v2?compare=9', 404],
    ['Atlas-v2?compare=x', 400],
    ['Atlas-v2?compare=', 400],
    ['Nothing?compare=1', 404],
  ])('rejects %s with %i', async (below, status) => {
    expect((await get(below)).status).toBe(status);
  });

  it.each(['x', '', '1.0', '-1'])('lists the available versions for "%s"', async (compare) => {
    expect(await bodyOf(await get(`Atlas-v2?compare=${compare}`))).toMatchObject({
      detail: 'Invalid query parameters: compare. compare must be a version number. Available: 1, 2.',
    });
  });

  it('requires an API: the list has no comparison, and the error says so', async () => {
    const answer = await platform.request('/platform/documentation?compare=1');
    expect(answer.status).toBe(400);
    expect(await bodyOf(answer)).toMatchObject({
      detail: expect.stringContaining('Name the API in the path, <api>?compare=<version>') as string,
    });
  });

  it('responds 406 for formats that do not support it', async () => {
    for (const format of ['apidesc', 'openapi', 'yaml', 'swagger']) {
      const answer = await get(`Atlas-v2?compare=1&format=${format}`);
      expect([format, answer.status]).toEqual([format, 406]);
      expect(await bodyOf(answer)).toMatchObject({
        detail: `Format "${format}" of a comparison of versions does not exist. Available: json, html, markdown.`,
        formats: ['json', 'html', 'markdown'],
      });
    }
  });
});
