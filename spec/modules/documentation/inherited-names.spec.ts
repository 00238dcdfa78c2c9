import { defineApi, defineProcedure, defineRpcService, Type, type Module } from '../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { bodyOf } from '../../factories/http/requests';
import { HOSTING } from '../../factories/processes/start-refusal';

/** A form whose field, and a route whose parameter, have the name of a member of every object. */
const Entry = defineRpcService({
  route: '/entries/:toString',
  content_type: ['application/x-www-form-urlencoded'],
  methods: {
    POST: defineProcedure({
      fields: Type.Object({ ['constructor' as string]: Type.String() }),
      handler: ({ body }) => ({ data: body }),
    }),
  },
});

const races: Module = {
  name: 'races',
  requires: ['hosting'],
  apis: [defineApi({ name: 'Races', versions: { 1: { services: { Entry } } } })],
};

describe('A name of a member of every object', () => {
  let platform: TestPlatform;
  beforeAll(
    async () =>
      (platform = await startTestPlatform({ modules: [...HOSTING, 'documentation'], extra: [races] })),
  );
  afterAll(() => platform.stop());

  it('may be that of a form field, whose samples have an example', async () => {
    const page = await platform.request('/platform/documentation/Races/Entry', {
      headers: { Accept: 'text/html' },
    });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('constructor=CONSTRUCTOR');
  });

  it('may be that of a route parameter, which is a text', async () => {
    const { route_parameters: parameters } = await bodyOf(
      await platform.request('/platform/documentation/Races/Entry?format=json'),
    );
    expect(parameters).toMatchObject([{ name: 'toString', schema: { type: 'string' } }]);
  });
});
