import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { openapiErrors } from '../../factories/documents/openapi-errors';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../factories/platform';
import { bodyOf } from '../../factories/http/requests';
import { ClubModule } from '../../fixtures/club-module';
import { HostileModule } from '../../fixtures/hostile-module';

let platform: TestPlatform;
beforeAll(
  async () =>
    (platform = await startTestPlatform({
      extra: [new ClubModule(), new HostileModule()],
      local: sampleAuthentication,
    })),
);
afterAll(() => platform.stop());

async function read(below: string): Promise<Record<string, unknown>> {
  const answer = await platform.request(`/platform/documentation${below}`, {
    headers: { Accept: 'application/vnd.apidesc+json' },
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/vnd.apidesc+json');
  return bodyOf(answer);
}

const pathsOf = ({ paths }: Record<string, unknown>): string[] => Object.keys(paths ?? {}).sort();

/** Returns the value under these keys, one within the other. */
function at(document: object, keys: readonly string[]): object {
  return keys.reduce<object>((value, key) => {
    const member: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
    if (typeof member === 'object' && member !== null) return member;
    throw new RangeError(`There is no ${key} in ${keys.join(' ')}.`);
  }, document);
}

/** Compiles a schema of a document with its components. */
function compile({ components }: Record<string, unknown>, schema: object) {
  const answers = new Ajv2020({ strict: false, allErrors: true });
  addFormats(answers);
  return answers.compile({ components, ...schema });
}

describe('the OpenAPI document of the running platform', () => {
  it.each([
    '',
    '/Atlas',
    '/Atlas-v1',
    '/Atlas/Country',
    '/Atlas/Visit',
    '/Atlas-v1/Distance',
    '/Club-v1',
    '/Club/Note',
    '/Hostile',
    '/Hostile/Plain',
  ])('at "%s" is valid by the official schema, and its references resolve', async (below) => {
    const document = await read(below);
    expect(openapiErrors(document)).toEqual([]);
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    const components = document.components as { readonly schemas: object };
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, to = '']) => to);
    expect(references.length).toBeGreaterThan(0);
    for (const to of references)
      expect(Object.keys(components.schemas)).toContain(to.replace('#/components/schemas/', ''));
  });

  it('has the paths of its APIs, with the prefix of the version; the list has the default versions', async () => {
    expect(pathsOf(await read('/Atlas-v1/Visit'))).toEqual([
      '/v1/atlas/visits',
      '/v1/atlas/visits/query',
      '/v1/atlas/visits/{visit_id}',
    ]);
    expect(pathsOf(await read('/Atlas'))).toEqual([
      '/v2/atlas/countries',
      '/v2/atlas/countries/query',
      '/v2/atlas/countries/{country_code}',
      '/v2/atlas/distance',
      '/v2/atlas/visits',
      '/v2/atlas/visits/query',
      '/v2/atlas/visits/{visit_id}',
    ]);
    const all = pathsOf(await read(''));
    expect(all).not.toContain('/v1/atlas/distance');
    for (const path of ['/v2/atlas/distance', '/v2/club/hall', '/v1/annex/door']) expect(all).toContain(path);
  });

  it('has the security schemes of each version', async () => {
    expect(await read('/Atlas-v1')).toMatchObject({
      components: { securitySchemes: { 'atlas-basic': { type: 'http', scheme: 'basic' } } },
    });
    expect(await read('/Atlas-v2')).toMatchObject({
      components: { securitySchemes: { 'atlas-digest': { type: 'http', scheme: 'digest' } } },
    });
  });

  it.each([
    ['/v1/atlas/countries/DE', 'Atlas-v1', '/v1/atlas/countries/{country_code}'],
    ['/v2/atlas/countries/DE', 'Atlas-v2', '/v2/atlas/countries/{country_code}'],
    ['/v2/atlas/countries?page_size=250', 'Atlas-v2', '/v2/atlas/countries'],
    ['/v1/atlas/distance?from=DE&to=FR', 'Atlas-v1', '/v1/atlas/distance'],
  ])('describes the actual response of %s', async (path, api, template) => {
    const document = await read(`/${api}`);
    const place = ['paths', template, 'get', 'responses', '200', 'content', 'application/json', 'schema'];
    const check = compile(document, at(document, place));
    check(await (await platform.request(path)).json());
    expect(check.errors ?? []).toEqual([]);
  });

  it('describes actual problems', async () => {
    const document = await read('/Atlas');
    const check = compile(document, at(document, ['components', 'schemas', 'Problem']));
    for (const path of ['/v2/atlas/countries/XX', '/v2/atlas/visits', '/v2/atlas/countries?page=0']) {
      const answer = await platform.request(path);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      check(await answer.json());
      expect(check.errors ?? []).toEqual([]);
    }
  });
});
