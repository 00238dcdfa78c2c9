import { defineApi, defineProcedure, defineRpcService, Type } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';

const Code = Type.String({ minLength: 2 });
const code = Type.Unsafe<string>({ $ref: '#/$defs/Code', description: 'A code.' });
const Node = { type: 'array', items: { $ref: '#/$defs/Node' } };

const Check = defineRpcService({
  route: '/codes/:p',
  parameters: { p: Code },
  methods: {
    GET: defineProcedure({
      query: Type.Object(
        {
          c: Type.Optional(code),
          all: Type.Optional(Type.Array(code)),
          node: Type.Optional(Type.Unsafe<unknown>({ $ref: '#/$defs/Node' })),
        },
        { $defs: { Code, Node } },
      ),
      handler: () => ({}),
    }),
  },
});

let platform: TestPlatform;
beforeAll(async () => {
  const api = defineApi({ name: 'A', versions: { 1: { services: { Check } } } });
  platform = await startTestPlatform({
    modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
    extra: [{ name: 'own', requires: ['hosting'], apis: [api] }],
  });
});
afterAll(() => platform.stop());

it('OpenAPI has the definitions to which parameters refer in their place', async () => {
  const statuses = ['/codes/ab?c=ab', '/codes/ab?c=a', '/codes/a?c=ab'].map(
    async (target) => (await platform.request(target)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 400, 404]);
  const answer = await platform.request('/platform/documentation/A?format=apidesc');
  const { paths } = (await answer.json()) as {
    paths: Record<string, { get: { parameters: { name: string; schema: object }[] } }>;
  };
  const { parameters } = paths['/v1/codes/{p}']!.get;
  const schemas = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const text = { type: 'string', minLength: 2 };
  expect(schemas).toMatchObject({
    p: text,
    c: text,
    all: { type: 'array', items: { ...text, description: 'A code.' } },
    // A recursive part accepts any value.
    node: { type: 'array', items: {} },
  });
  expect(JSON.stringify(schemas)).not.toContain('$');
});
