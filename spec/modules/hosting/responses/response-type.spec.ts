import { defineApi, defineRpcService, Response, type Module } from '../../../../src/platform';
import type { ProcedureDefinition } from '../../../../src/modules/hosting';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { startRefusal } from '../../../factories/processes/start-refusal';

const PIXEL = Buffer.from('89504e470d0a1a0a', 'hex');

const shop = (services: Readonly<Record<string, ReturnType<typeof defineRpcService>>>): Module => ({
  name: 'shop',
  requires: ['hosting'],
  apis: [defineApi({ name: 'Shop', versions: { 1: { services } } })],
});

const about = (route: string, GET: ProcedureDefinition): ReturnType<typeof defineRpcService> =>
  defineRpcService({ route, methods: { GET } });

describe('a procedure with a response_type', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({
      extra: [
        shop({
          Picture: about('/picture', {
            response_type: ['image/png', 'image/webp'],
            handler: ({ event }) =>
              new Response(200, PIXEL, [['Content-Type', event.responseFormat?.mediaType ?? 'image/png']]),
          }),
          Wrong: about('/wrong', { response_type: ['image/png'], handler: () => ({ a: 1 }) }),
        }),
      ],
    });
  });
  afterAll(() => platform.stop());

  const ask = (accept: string, path = '/v1/picture'): Promise<globalThis.Response> =>
    platform.request(path, { headers: { accept } });

  it('responds with the negotiated type, the first by default', async () => {
    const first = await ask('*/*');
    expect(first.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await first.arrayBuffer())).toEqual(PIXEL);
    expect((await ask('image/webp')).headers.get('content-type')).toBe('image/webp');
    expect((await ask('application/json')).status).toBe(406);
  });

  it('fails when its handler returns no response of that type', async () => {
    expect((await ask('*/*', '/v1/wrong')).status).toBe(500);
    expect(platform.log.lines.map(({ details }) => String((details as { err?: Error }).err))).toContainEqual(
      expect.stringContaining('Shop-v1/Wrong GET has a response_type but returned'),
    );
  });

  it('is documented with it, in every format', async () => {
    const read = async (format: string): Promise<string> =>
      (await platform.request(`/platform/documentation/Shop/Picture?format=${format}`)).text();
    for (const format of ['html', 'markdown', 'yaml', 'json']) {
      expect([format, await read(format)]).toEqual([format, expect.stringContaining('image/png')]);
    }
    expect(JSON.parse(await read('json'))).toMatchObject({
      response_content_types: ['image/png', 'image/webp'],
      operations: [{ response_content_types: ['image/png', 'image/webp'] }],
    });
    expect(JSON.parse(await read('openapi'))).toMatchObject({
      paths: {
        '/v1/picture': { get: { responses: { 200: { content: { 'image/png': {}, 'image/webp': {} } } } } },
      },
    });
    expect(JSON.parse(await read('swagger'))).toMatchObject({
      paths: {
        '/v1/picture': { get: { produces: ['image/png', 'image/webp', 'application/problem+json'] } },
      },
    });
  });
});

it.each([
  ['no type', { response_type: [] }, 'response_type has no type'],
  ['a wildcard', { response_type: ['image/*'] }, 'response_type has "image/*"'],
  [
    'a stream',
    { response_type: ['image/png'], stream: ['text/event-stream'] as const },
    'Remove one of them',
  ],
])('rejects %s', async (_, more, message) => {
  const procedure = about('/picture', { ...more, handler: () => null });
  expect(await startRefusal({ extra: [shop({ Picture: procedure })] })).toContain(message);
});
