import { defineApi, defineProcedure, defineRpcService, Type, type Module } from '../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { sendRaw } from '../../factories/http/raw-http';
import { HOSTING } from '../../factories/processes/start-refusal';

const FORM = 'application/x-www-form-urlencoded';
const echo = (required: boolean) =>
  defineRpcService({
    route: required ? '/strict' : '/lenient',
    content_type: [FORM, 'application/json'],
    methods: {
      POST: defineProcedure({
        fields: required
          ? Type.Object({ name: Type.String() })
          : Type.Object({ name: Type.Optional(Type.String()) }),
        handler: ({ body }) => ({ data: body }),
      }),
    },
  });

const house: Module = {
  name: 'house',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'House',
      versions: { 1: { services: { Lenient: echo(false), Strict: echo(true) } } },
    }),
  ],
};

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ modules: HOSTING, extra: [house] });
});
afterAll(() => platform.stop());

const post = (path: string, type: string): Promise<Response> =>
  platform.request(path, { method: 'POST', headers: { 'content-type': type }, body: '' });

describe('a form without fields', () => {
  it.each([FORM, `${FORM}; charset=UTF-8`, FORM.toUpperCase()])(
    'parses to an empty object (%s)',
    async (type) => {
      const answer = await post('/lenient', type);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ data: {} });
    },
  );

  it('parses to an empty object when sent in chunks', async () => {
    const head = `POST /lenient HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${FORM}\r\n`;
    const answer = await sendRaw(platform.origin, `${head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`);
    expect(answer.status).toBe(200);
  });

  it('fails validation of required fields', async () => {
    const answer = await post('/strict', FORM);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ errors: [{ pointer: '/name' }] });
  });

  it('differs from an empty JSON body, which is rejected', async () => {
    expect((await post('/lenient', 'application/json')).status).toBe(422);
  });
});
