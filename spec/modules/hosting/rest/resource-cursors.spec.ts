import { defineApi, Type, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { listKeyOf, listKeyOfBody } from '../../../../src/modules/hosting/rest/cursor';

const circle: Record<string, unknown> = {};
circle.self = circle;

/** Cursors that authors of JavaScript may return. */
const places: Readonly<Record<string, unknown>> = {
  right: { after: 'z' },
  dated: { after: new Date(0) },
  long: { after: 'z'.repeat(2_900) },
  short: { before: 'z' },
  number: 7,
  function: () => 7,
  circle,
  big: { after: 1n },
  longer: { after: 'z'.repeat(4_000) },
};

let name: 'next' | 'previous' = 'next';
const module_: Module = {
  name: 'steps',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Steps',
      versions: {
        1: {
          services: {
            Step: {
              route: '/steps[/:id]',
              route_identifier_name: 'id',
              fields: Type.Object({ id: Type.String() }),
              page_size: 1,
              cursor: Type.Object({ after: Type.String({ minLength: 1 }) }),
              collection: { GET: { query: Type.Object({ to: Type.Optional(Type.String()) }) } },
              resource: {
                fetchAll: ({ query }) => ({
                  items: [{ id: 'a' }],
                  ...((query as { to: string }).to === 'counted' ? { total: 7 } : {}),
                  ...((query as { to: string }).to === 'miscounted' ? { total: -1 } : {}),
                  [name]: places[(query as { to: string }).to],
                }),
              },
            },
          },
        },
      },
    }),
  ],
};

let platform: TestPlatform;
beforeAll(async () => (platform = await startTestPlatform({ modules: HOSTING, extra: [module_] })));
afterAll(() => platform.stop());

describe('the total of a page by cursor', () => {
  it('is sent if the resource returns one', async () => {
    const totalOf = async (to: string) => bodyOf(await platform.request(`/steps?to=${to}`));
    expect(await totalOf('counted')).toHaveProperty('total_items', 7);
    expect(await totalOf('end')).not.toHaveProperty('total_items');
  });

  it('is an error if it is not a count', async () => {
    expect((await platform.request('/steps?to=miscounted')).status).toBe(500);
  });
});

describe('the cursor that a resource returns', () => {
  it.each(['right', 'dated', 'long'])(
    'is sent and accepted again when it has the declared type: %s',
    async (to) => {
      name = 'next';
      const body = await bodyOf(await platform.request(`/steps?to=${to}`));
      expect(body.next_cursor).toMatch(/^[\w-]+$/);
      const again = await platform.request(`/steps?to=${to}&cursor=${String(body.next_cursor)}`);
      expect(again.status).toBe(200);
    },
  );

  it.each([
    [
      'short',
      'next',
      'a page whose "next" does not match the "cursor" schema of the service: /after is required.',
    ],
    [
      'number',
      'previous',
      'a page whose "previous" does not match the "cursor" schema of the service: it must be object.',
    ],
    [
      'function',
      'next',
      'a page whose "next" does not match the "cursor" schema of the service: it must be object.',
    ],
    [
      'circle',
      'next',
      'a page whose "next" cannot be written as JSON: Converting circular structure to JSON',
    ],
    ['big', 'next', 'a page whose "next" cannot be written as JSON: Do not know how to serialize a BigInt.'],
    ['longer', 'next', 'characters when encoded, and at most 4096 fit into a URL: return a short position'],
  ] as const)('is a bare 500 when it is %s, and the log names its %s', async (to, where, told) => {
    name = where;
    platform.log.lines.length = 0;
    const answer = await platform.request(`/steps?to=${to}`);
    expect(answer.status).toBe(500);
    expect((await bodyOf(answer)).detail).toBe('The server encountered an unexpected condition.');
    const message = String(Reflect.get(platform.log.lines[0]?.details ?? {}, 'err'));
    expect(message).toContain('TypeError: Steps-v1/Step collection GET: fetchAll() returned a page whose');
    expect(message).toContain(told);
  });
});

describe('The list that a cursor belongs to', () => {
  it('is the same in every page and version, whatever the order of parameters', () => {
    const key = listKeyOf('a=2&b=1', { order: '7' });
    expect(listKeyOf('page_size=3&b=1&cursor=x&a=2', { version: '2', order: '7' })).toBe(key);
    expect(['a=2&b=1', 'a=1&b=2'].map((query) => listKeyOf(query, { order: '8' }))).not.toContain(key);
    const ofBody = listKeyOfBody({ a: 2, b: 1 }, {});
    expect(listKeyOfBody({ page_size: 3, b: 1, cursor: 'x', a: 2 }, { version: '2' })).toBe(ofBody);
  });
});
