import { defineApi, defineProcedure, defineRpcService, Type, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

/** As generators write the name of a generic type. */
const NAME = 'Page<Item>';

const page = {
  type: 'object',
  properties: { id: { type: 'integer' }, password: { type: 'string', writeOnly: true } },
};

const refersTo = (reference: string, rest: object = {}) =>
  Type.Unsafe<object>({ type: 'object', properties: { list: { $ref: reference } }, ...rest });

const returns = (route: string, response: ReturnType<typeof refersTo>) =>
  defineRpcService({
    route,
    methods: {
      GET: defineProcedure({
        response,
        handler: () => ({ list: { id: 1, password: 'p4ss', secret: 's3cret' } }),
      }),
      POST: defineProcedure({ fields: response as never, response, handler: () => ({ list: { id: 1 } }) }),
    },
  });

const services = {
  Old: returns('/old', refersTo('#/definitions/Page%3CItem%3E', { definitions: { [NAME]: page } })),
  Own: returns('/own', refersTo('#/$defs/Page%3CItem%3E', { $defs: { [NAME]: page } })),
  Slash: returns('/slash', refersTo('#/$defs/Page~1Item', { $defs: { 'Page/Item': page } })),
};

const pages: Module = {
  name: 'pages',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Pages',
      versions: { 1: { services } },
    }),
  ],
};

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({
    modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
    extra: [pages],
  });
});
afterAll(() => platform.stop());

describe.each(['old', 'own', 'slash'])('a schema with a percent-encoded reference: %s', (route) => {
  it('has no undeclared members in responses', async () => {
    const answer = await platform.request(`/${route}`);
    expect(await answer.text()).not.toContain('s3cret');
    expect(answer.status).toBe(200);
  });

  it('validates requests', async () => {
    const refused = await platform.request(`/${route}`, sendJson({ list: { id: 'x' } }));
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('"pointer":"/list/id"');
  });

  it('is documented', async () => {
    const name = `${route.charAt(0).toUpperCase()}${route.slice(1)}`;
    const answer = await platform.request(`/platform/documentation/Pages/${name}?format=apidesc`);
    const { components } = (await answer.json()) as { components: { schemas: Record<string, unknown> } };
    const lists = JSON.stringify(components.schemas).match(/"list":\{"\$ref":"[^"]*"\}/g) ?? [];
    expect(lists.length).toBeGreaterThan(0);
    for (const list of lists) expect(list).toMatch(/#\/components\/schemas\/Page_Item/);
    const page = await platform.request(`/platform/documentation/Pages/${name}?format=json`);
    const { fields } = (await page.json()) as { fields: object[] };
    expect(fields).toMatchObject([{ name: 'list', type: 'object' }]);
  });
});

it.each(['own', 'slash'])('members that are only written are not sent: %s', async (route) => {
  expect(await (await platform.request(`/${route}`)).text()).not.toContain('p4ss');
});
