import { Api } from '../../../../src/modules/documentation/model/api';
import { serviceGroups } from '../../../../src/modules/documentation/view-helpers/service-groups';
import { startTestPlatform } from '../../../factories/platform';
import { apiData, operationData, serviceData } from '../../../fixtures/documentation';
import { defineApi, defineProcedure, defineRpcService, type Module } from '../../../../src/platform';

it('groups services by their first tag; those without come last', () => {
  const service = (name: string, tags: readonly string[] = []) =>
    serviceData({ name, tags, operations: [operationData(), operationData()] });
  const api = new Api(
    apiData({
      services: [service('A'), service('B', ['b & c', 'x']), service('C', ['d']), service('D', ['b & c'])],
    }),
  );
  expect(
    serviceGroups(api).map(({ name, id, services, operations }) => [name, id, services.length, operations]),
  ).toEqual([
    ['b & c', 'tag-b~20~26~20c', 2, 4],
    ['d', 'tag-d', 1, 2],
    ['', 'other', 1, 2],
  ]);
});

const service = (route: string, tag: string) =>
  defineRpcService({
    route,
    tags: [tag],
    methods: { GET: defineProcedure({ summary: `List ${tag}`, handler: () => null }) },
  });
const zoo: Module = {
  name: 'zoo',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Zoo',
      versions: { 1: { services: { Cats: service('/cats', 'cats'), Dogs: service('/dogs', 'dogs') } } },
    }),
  ],
};

it('puts operations with tags of their own into their group', () => {
  const list = operationData();
  const add = operationData({ httpMethod: 'POST', tags: ['write', 'x'] });
  const service = serviceData({ name: 'A', tags: ['read'], operations: [list, add] });
  const groups = serviceGroups(new Api(apiData({ services: [service] })));
  expect(
    groups.map(({ name, services }) => [
      name,
      services.map((one) => [one.service.getName(), one.operations.map((each) => each.getHttpMethod())]),
    ]),
  ).toEqual([
    ['read', [['A', ['GET']]]],
    ['write', [['A', ['POST']]]],
  ]);
});

it('shows tags as groups of operations, with their summaries as titles', async () => {
  const platform = await startTestPlatform({ extra: [zoo] });
  const read = async (path: string): Promise<string> =>
    (await (await platform.request(`/platform/documentation/Zoo${path}?format=html`)).text()).replace(
      /\s+/g,
      ' ',
    );
  try {
    const page = await read('');
    expect(page).toMatch(/id="tag-cats" open>.{0,80}<h2>cats<\/h2> <span class="quiet">1 operation<\/span>/);
    expect(page).toContain('<span class="label">List cats</span>');
    const cats = await read('/Cats');
    expect(cats).toContain('<h2 id="GET-title" class="titled"><a href="#GET">List cats</a></h2>');
    // The group of the page's service is open.
    expect(cats.match(/<details class="group"[^>]*>/g)).toEqual([
      '<details class="group" open>',
      '<details class="group">',
    ]);
  } finally {
    await platform.stop();
  }
});
