import { bodyOf } from '../../../factories/requests';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ local: sampleAuthentication });
});
afterAll(() => platform.stop());

const ask = (below: string, accept = 'application/json'): Promise<Response> =>
  platform.request(`/platform/documentation/${below}`, { headers: { accept } });

describe('the comparison of two versions', () => {
  it('is there as JSON', async () => {
    const answer = await bodyOf(await ask('Atlas-v2?compare=1'));
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

  it('is there as Markdown', async () => {
    const text = await (await ask('Atlas-v2?compare=1', 'text/markdown')).text();
    expect(text).toContain('# Atlas: version 2 compared with version 1\n');
    expect(text).toContain('| removed |  | field `currency` | string or null | **yes** |');
  });

  it('is there as a page, which is kept like others', async () => {
    const [first, second] = [
      await ask('Atlas-v2?compare=1', 'text/html'),
      await ask('Atlas-v2?compare=1', 'text/html'),
    ];
    expect(await first.text()).toContain('to version 2:');
    expect(first.headers.get('etag')).toBe(second.headers.get('etag'));
    expect(first.headers.get('link')).toBeNull();
    expect((await ask('Atlas-v2', 'text/html')).headers.get('etag')).not.toBe(first.headers.get('etag'));
  });

  it('may be of one service', async () => {
    const answer = await bodyOf(await ask('Atlas-v2/Visit?compare=1'));
    expect(answer).toMatchObject({ api: 'Atlas', service: 'Visit', changes: [] });
  });

  it('goes either way', async () => {
    const answer = await bodyOf(await ask('Atlas-v1?compare=2'));
    expect(answer.changes).toContainEqual(expect.objectContaining({ kind: 'added', name: 'currency' }));
  });

  it.each([
    ['Atlas-v2?compare=9', 404],
    ['Atlas-v2?compare=x', 400],
    ['Atlas-v2?compare=', 400],
    ['Nothing?compare=1', 404],
  ])('refuses %s with %i', async (below, status) => {
    expect((await ask(below)).status).toBe(status);
  });

  it.each(['x', '', '1.0', '-1'])('says which versions there are to who asks for "%s"', async (compare) => {
    expect(await bodyOf(await ask(`Atlas-v2?compare=${compare}`))).toMatchObject({
      detail: 'Invalid query parameters: compare. compare must be a version number. Available: 1, 2.',
    });
  });

  it('is of an API: the list has none, and says what has', async () => {
    const answer = await platform.request('/platform/documentation?compare=1');
    expect(answer.status).toBe(400);
    expect(await bodyOf(answer)).toMatchObject({
      detail: expect.stringContaining('Name the API in the path, <api>?compare=<version>') as string,
    });
  });

  it('is refused in formats that have no words for it', async () => {
    for (const format of ['apidesc', 'openapi', 'yaml', 'swagger']) {
      const answer = await ask(`Atlas-v2?compare=1&format=${format}`);
      expect([format, answer.status]).toEqual([format, 406]);
      expect(await bodyOf(answer)).toMatchObject({
        detail: `Format "${format}" of a comparison of versions does not exist. Available: json, html, markdown.`,
        formats: ['json', 'html', 'markdown'],
      });
    }
  });
});
