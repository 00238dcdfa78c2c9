import { defineApi, defineRestService, mergePatch, Type, type Module } from '../../../src/platform';
import { Validators } from '../../../src/modules/content-validation';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { bodyOf, sendJson } from '../../factories/http/requests';
import { HOSTING } from '../../factories/processes/start-refusal';

const NAMES = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'] as const;

/** Its default is stored where it is absent. */
const DEFAULT = 'toLocaleString';

const optional = Object.fromEntries(NAMES.map((name) => [name, Type.Optional(Type.String())]));

const withDefault = { [DEFAULT as string]: Type.Optional(Type.String({ default: 'none' })) };

interface Result {
  readonly id: string;
  readonly car?: number;
}

const kept = new Map<string, Result>();
const asked: object[] = [];

function keep(result: Result): Result {
  kept.set(result.id, result);
  return result;
}

/** The cars of a race: their `constructor` is a member of every object of JavaScript. */
const Results = defineRestService({
  route: '/results[/:id]',
  route_identifier_name: 'id',
  content_type: ['application/json', 'application/x-www-form-urlencoded'],
  fields: Type.Object({
    id: Type.String(),
    car: Type.Optional(Type.Integer()),
    ...optional,
    ...withDefault,
  }),
  collection: { GET: { query: Type.Object({ car: Type.Optional(Type.Integer()), ...optional }) }, POST: {} },
  entity: { GET: {}, PUT: {}, PATCH: {} },
  resource: {
    fetchAll: ({ query }) => {
      const { car } = query;
      asked.push(query);
      return [...kept.values()].filter((one) => car === undefined || car === one.car);
    },
    fetch: (id) => kept.get(id),
    create: (data) => keep(data),
    update: (id, data) => keep({ ...data, id }),
    patch: (id, data) => keep(mergePatch(kept.get(id) ?? { id }, data)),
  },
});

/** Named by a parameter that every object inherits. */
const Teams = defineRestService({
  route: '/teams[/:valueOf]',
  route_identifier_name: 'valueOf',
  fields: Type.Object({ ['valueOf' as string]: Type.String() }),
  collection: { GET: {} },
  entity: { GET: {} },
  resource: { fetchAll: () => [{ valueOf: 'lotus' }], fetch: (id) => ({ valueOf: id }) },
});

const races: Module = {
  name: 'races',
  requires: ['hosting'],
  apis: [defineApi({ name: 'Races', versions: { 1: { services: { Results, Teams } } } })],
};

describe('A member with the name of a member of every object', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ modules: HOSTING, extra: [races] })));
  afterAll(() => platform.stop());
  beforeEach(() => {
    kept.clear();
    keep({ id: 'spa', car: 4 });
  });

  it.each([
    ['POST', '/v1/results', { id: 'imola' }, 201],
    ['PUT', '/v1/results/spa', { id: 'spa', car: 5 }, 200],
    ['PATCH', '/v1/results/spa', { car: 5 }, 200],
  ])('may be absent in the body of %s', async (method, path, body, status) => {
    const answer = await platform.request(path, sendJson(body, method));
    expect([answer.status, await bodyOf(answer)]).toEqual([
      status,
      { id: 'spa', ...body, ...(method === 'PATCH' ? {} : { [DEFAULT]: 'none' }) },
    ]);
  });

  it.each(NAMES)('is stored, validated and shown: %s', async (name) => {
    const answer = await platform.request('/v1/results/spa', sendJson({ [name]: 'Lotus' }, 'PATCH'));
    expect([answer.status, await bodyOf(answer)]).toEqual([200, { id: 'spa', car: 4, [name]: 'Lotus' }]);
    const list = await platform.request('/v1/results');
    expect(await list.json()).toEqual([{ id: 'spa', car: 4, [name]: 'Lotus' }]);
    const invalid = await platform.request('/v1/results/spa', sendJson({ [name]: 7 }, 'PATCH'));
    expect([invalid.status, (await bodyOf(invalid)).errors]).toEqual([
      422,
      [{ pointer: `/${name}`, keyword: 'type', message: 'must be string or null' }],
    ]);
  });

  it('is undefined as an absent parameter of a route, and names the entity otherwise', async () => {
    const all = await platform.request('/v1/teams');
    expect([all.status, await all.json()]).toEqual([200, [{ valueOf: 'lotus' }]]);
    const one = await platform.request('/v1/teams/lotus');
    expect([one.status, await one.json()]).toEqual([200, { valueOf: 'lotus' }]);
  });

  it.each([
    [{}, true],
    [{ a: 'x' }, false],
    [{ a: 'x', constructor: 'y' }, false],
    [{ a: 'x', constructor: 'y', b: 'z' }, true],
  ])('may be a condition of others: %j', (value, isValid) => {
    const validate = new Validators().forBody({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      dependentRequired: { constructor: ['b'], a: ['constructor'] },
      dependentSchemas: { constructor: { required: ['b'] } },
    });
    expect('value' in validate(value)).toBe(isValid);
  });

  it('may be absent in a query', async () => {
    const list = await platform.request('/v1/results?car=4');
    expect([list.status, await list.json()]).toEqual([200, [{ id: 'spa', car: 4 }]]);
    expect((await platform.request('/v1/results?car=4&constructor=Lotus')).status).toBe(200);
  });

  it.each(['', '?car=4'])('is undefined for the handler of a query without it: %j', async (query) => {
    asked.length = 0;
    expect((await platform.request(`/v1/results${query}`)).status).toBe(200);
    expect(NAMES.map((name): unknown => Reflect.get(asked[0] ?? {}, name))).toEqual(
      NAMES.map(() => undefined),
    );
  });

  it('may be absent in a form', async () => {
    const answer = await platform.request('/v1/results', {
      method: 'POST',
      body: 'id=monza&car=9',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect([answer.status, await bodyOf(answer)]).toEqual([201, { id: 'monza', car: 9, [DEFAULT]: 'none' }]);
  });
});
