import { Type } from '@sinclair/typebox';
import {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
} from '../../../../src/modules/hosting';
import type { Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { startRefusal } from '../../../factories/processes/start-refusal';

const things = new Map<string, { id: string }>();

/** An API with a base path. */
const moduleOf = (base_path: string): Module => ({
  name: 'tools',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Tools',
      base_path,
      versions: {
        1: {
          services: {
            Thing: defineRestService({
              route: '/things[/:id]',
              route_identifier_name: 'id',
              fields: Type.Object({ id: Type.String() }),
              collection: { POST: {} },
              entity: { GET: {} },
              resource: {
                fetch: (id) => things.get(id),
                create: (thing) => {
                  things.set(thing.id, thing);
                  return thing;
                },
              },
            }),
            Ping: defineRpcService({
              route: '/ping',
              methods: { GET: defineProcedure({ handler: ({ version }) => ({ version }) }) },
            }),
          },
        },
      },
    }),
  ],
});

describe('an API with a base path', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ extra: [moduleOf('/platform/tools')] })));
  afterAll(() => platform.stop());

  it('is served below it, with the version after it', async () => {
    expect(await bodyOf(await platform.request('/platform/tools/v1/ping'))).toEqual({ version: 1 });
    expect(await bodyOf(await platform.request('/platform/tools/ping'))).toEqual({ version: 1 });
    expect((await platform.request('/v1/ping')).status).toBe(404);
    expect((await platform.request('/v1/platform/tools/ping')).status).toBe(404);
  });

  it('includes it in the Location of a created entity', async () => {
    const created = await platform.request('/platform/tools/v1/things', sendJson({ id: 'a b' }, 'POST'));
    expect(created.headers.get('location')).toBe('/platform/tools/v1/things/a%20b');
  });

  it('is documented with it, in OpenAPI and on the page', async () => {
    const accept = (type: string): RequestInit => ({ headers: { accept: type } });
    const openapi: unknown = await bodyOf(
      await platform.request('/platform/documentation/Tools', accept('application/vnd.apidesc+json')),
    );
    expect(Object.keys((openapi as { paths: object }).paths).sort()).toEqual([
      '/platform/tools/v1/ping',
      '/platform/tools/v1/things',
      '/platform/tools/v1/things/{id}',
    ]);
    const page = await (
      await platform.request('/platform/documentation/Tools/Ping', accept('text/html'))
    ).text();
    expect(page).toContain('/platform/tools/v1/ping');
  });
});

it.each(['tools', '/tools/', '/:tools', '/a b'])('rejects the base path "%s"', async (base_path) => {
  expect(await startRefusal({ extra: [moduleOf(base_path)] })).toMatch(
    /base_path .*Write a path .*, such as "\/shop"/,
  );
});
