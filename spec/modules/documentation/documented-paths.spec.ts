import { defineApi, defineRestService, Type } from '../../../src/platform';
import { Documentation } from '../../../src/modules/documentation/documentation';
import { sampleCall } from '../../../src/modules/documentation/samples/sample-call';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { HOSTING } from '../../factories/start-refusal';

const Land = defineRestService({
  route: String.raw`/länder[/:id([0-9]\d+)]`,
  route_identifier_name: 'id',
  resource: { fetch: () => ({ id: '42' }), fetchAll: () => [] },
  fields: Type.Object({ id: Type.String({ examples: ['42'] }) }),
  parameters: { id: Type.String({ examples: ['42'] }) },
  collection: { GET: { authorization: 'guest' } },
  entity: { GET: { authorization: 'guest' } },
});

let platform: TestPlatform;
beforeAll(async () => {
  const api = defineApi({ name: 'A', versions: { 1: { services: { Land } } } });
  platform = await startTestPlatform({
    modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
    extra: [{ name: 'own', requires: ['hosting'], apis: [api] }],
  });
});
afterAll(() => platform.stop());

it('documents the paths of a route with a constraint without it, and encoded', async () => {
  const response = await platform.request('/platform/documentation/A?format=apidesc');
  expect(Object.keys(((await response.json()) as { paths: object }).paths)).toEqual([
    '/v1/l%C3%A4nder',
    '/v1/l%C3%A4nder/{id}',
  ]);
});

it('has samples whose encoded path is that of the operation', async () => {
  const documentation = await platform.application.services.get(Documentation);
  const service = documentation.listFor({ isGuest: true }).getApis()[0]!.getServices()[0]!;
  const { path } = sampleCall(service, service.getEntityOperations()[0]!);
  expect(path).toBe('/v1/l%C3%A4nder/42');
  expect((await fetch(platform.origin + path)).status).toBe(200);
});
