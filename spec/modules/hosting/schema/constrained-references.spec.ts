import { defineApi, defineProcedure, defineRpcService, Type } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

const Code = Type.String({ minLength: 3, pattern: 'Z$' });
/** The keywords next to the reference are constraints, too. */
const code = Type.Unsafe<string>({
  $ref: '#/schemas/Code',
  description: 'A code.',
  minLength: 1,
  pattern: '^A',
});

const Check = defineRpcService({
  route: '/codes/:c',
  parameters: { c: code },
  methods: {
    GET: defineProcedure({ query: Type.Object({ q: Type.Optional(code) }), handler: () => ({}) }),
    POST: defineProcedure({ fields: Type.Object({ q: code }), handler: () => ({}) }),
  },
});

let platform: TestPlatform;
beforeAll(async () => {
  const api = defineApi({ name: 'A', versions: { 1: { schemas: { Code }, services: { Check } } } });
  platform = await startTestPlatform({
    modules: HOSTING,
    extra: [{ name: 'own', requires: ['hosting'], apis: [api] }],
  });
});
afterAll(() => platform.stop());

it.each([
  ['AxZ', true],
  ['A', false],
  ['AZ', false],
  ['xxZ', false],
  ['Axx', false],
])(
  'a shared schema and the constraints next to its reference apply everywhere: %s',
  async (text, isValid) => {
    const statusOf = async (target: string, init?: RequestInit): Promise<number> =>
      (await platform.request(target, init)).status;
    expect([
      await statusOf(`/codes/${text}`),
      await statusOf(`/codes/AxZ?q=${text}`),
      await statusOf('/codes/AxZ', sendJson({ q: text })),
    ]).toEqual(isValid ? [200, 200, 200] : [404, 400, 422]);
  },
);
