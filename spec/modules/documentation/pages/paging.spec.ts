import { Api } from '../../../../src/modules/documentation/model/api';
import { pageCount, serviceGroups } from '../../../../src/modules/documentation/view-helpers/service-groups';
import { largeApi } from '../../../factories/documents/large-api';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { apiData, operationData, serviceData } from '../../../fixtures/documentation';

const apiOf = (services: number, tags: readonly string[]): Api =>
  new Api(
    apiData({
      services: Array.from({ length: services }, (_, at) =>
        serviceData({ name: `S${at}`, tags, operations: [operationData()] }),
      ),
    }),
  );

describe('the groups of a very large API', () => {
  it('are split above 500 operations, and listed on pages of at most 1,500', () => {
    const api = apiOf(2_100, ['a.b']);
    expect(
      serviceGroups(api).map(({ id, operations, isPart, page }) => [id, operations, isPart, page]),
    ).toEqual([
      ['tag-a~2eb', 500, true, 1],
      ['tag-a~2eb.2', 500, true, 1],
      ['tag-a~2eb.3', 500, true, 1],
      ['tag-a~2eb.4', 500, true, 2],
      ['tag-a~2eb.5', 100, true, 2],
    ]);
    expect(pageCount(api)).toBe(2);
  });

  it('have one page if they are small or empty', () => {
    expect(serviceGroups(apiOf(500, [])).map(({ isPart }) => isPart)).toEqual([false]);
    expect(pageCount(apiOf(0, []))).toBe(1);
  });
});

describe('an API with 1,800 operations', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ local: largeApi(900, 1) })));
  afterAll(() => platform.stop());
  const read = (below: string): Promise<Response> =>
    platform.request(`/platform/documentation/Large-v1${below}`, { headers: { accept: 'text/html' } });
  const groupsOf = (page: string): readonly string[] =>
    [...page.matchAll(/<details class="operations" id="([^"]*)"/g)].map(([, id = '']) => id);

  it('lists them on pages that link to each other', async () => {
    const [first, second] = [await (await read('')).text(), await (await read('?page=2')).text()];
    const ids = Array.from({ length: 10 }, (_, at) => `tag-group~20${at}`);
    expect(groupsOf(first)).toEqual(ids.slice(0, 8));
    expect(groupsOf(second)).toEqual(ids.slice(8));
    expect(first).toMatch(/href="[^"]*Large-v1\?page=2" rel="next"/);
    expect(second).toMatch(/href="[^"]*Large-v1" rel="prev"/);
    expect(await (await read('?page=1')).text()).toBe(first);
  });

  it('is complete in other formats', async () => {
    const [whole, page] = [await read('?format=markdown'), await read('?format=markdown&page=2')];
    expect(await page.text()).toBe(await whole.text());
  });

  it.each(['0', '3', 'x', ''])('responds 400 to the page "%s"', async (page) => {
    const answer = await read(`?page=${page}&format=json`);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('page must be a number from 1 to 2.');
  });

  it('has service pages that list the services of their own group only', async () => {
    const page = await (await read('/Service18')).text();
    const sidebar = /<nav class="sidebar"[^]*?<main/.exec(page)?.[0] ?? '';
    expect(sidebar.match(/<details class="group" open>/g)).toHaveLength(1);
    expect(sidebar.match(/<li><a href="[^"]*\/Service\d+"/g)).toHaveLength(90);
    expect(sidebar).toMatch(
      /<a href="\/platform\/documentation\/Large-v1#tag-group~200" data-group>List 90 services/,
    );
    expect(sidebar).toMatch(/Large-v1\?page=2#tag-group~209"/);
  });
});
