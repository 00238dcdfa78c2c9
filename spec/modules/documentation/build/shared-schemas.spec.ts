import { Type } from '@sinclair/typebox';
import { defineApi, defineProcedure, defineRpcService } from '../../../../src/modules/hosting';
import type { Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic } from '../../../factories/http/requests';
import { PEOPLE, peopleAdapter } from '../../../fixtures/people';

const shared = (name: string, extra: object = {}) => Type.Unsafe({ $ref: `#/schemas/${name}`, ...extra });
const service = (route: string, fields: object, response: object, extra: object = {}) =>
  defineRpcService({
    route,
    methods: {
      POST: defineProcedure({
        fields: Type.Object(fields as never),
        handler: () => ({}),
        response: Type.Unsafe(response),
      }),
    },
    ...extra,
  });

/** Hall and Board use Money; each of the others is used by one service. */
const club: Module = {
  name: 'club',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Club',
      versions: {
        1: {
          schemas: {
            Money: Type.Object({ amount: Type.Integer() }),
            Seat: Type.Object({ row: Type.Integer(), price: shared('Money') }),
            // Requests and responses have other schemas of these.
            Ticket: Type.Object({ id: Type.Integer({ readOnly: true }), row: Type.Integer({ default: 1 }) }),
            Card: Type.Object({ code: Type.String({ writeOnly: true }), name: Type.String() }),
            Vote: Type.Object({ stake: shared('Money') }),
            Unused: Type.Object({ nothing: Type.Null() }),
          },
          services: {
            Hall: service('/hall', { seat: shared('Seat') }, shared('Money', { description: 'The price' })),
            Desk: service(
              '/desk',
              { ticket: shared('Ticket') },
              shared('Card', { description: 'A new one' }),
            ),
            Board: service('/board', { vote: shared('Vote') }, shared('Money', { description: 'A bribe' }), {
              visibility: 'authenticated',
            }),
          },
        },
      },
    }),
  ],
};

const SHOW = `{% for one in documentation.getSchemas() %}{{ one.name }}{% for use in one.uses %} ({{ use.annotations.description }}){% endfor %};{% endfor %}`;

describe('the shared schemas of the object model', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({
      extra: [club],
      files: { ...PEOPLE, 'templates/show.njk': SHOW },
      local: {
        view_manager: { template_map: { 'platform-documentation/show': 'templates/show.njk' } },
        'platform-mvc-auth': {
          authentication: {
            adapters: { people: peopleAdapter('people') },
            map: { '*': 'people', '@documentation': 'people' },
          },
        },
      },
    });
  });
  afterAll(() => platform.stop());

  it.each<[string, Record<string, string>, string]>([
    ['guests are those of services that they see', {}, 'Money (The price);Seat;Ticket;Card (A new one);'],
    [
      'users are all of the version',
      { authorization: basic('ada', 'password') },
      'Money (The price) (A bribe);Seat;Ticket;Card (A new one);Vote;Unused;',
    ],
  ])('for %s', async (_, headers, expected) => {
    const answer = await platform.request('/platform/documentation/Club?format=html', { headers });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(expected);
  });
});
