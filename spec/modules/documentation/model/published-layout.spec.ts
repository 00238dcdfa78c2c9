import Ajv2020 from 'ajv/dist/2020';
import layout from '../../../../docs/reference/documentation.schema.json';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { ClubModule } from '../../../fixtures/club-module';
import { HostileModule } from '../../../fixtures/hostile-module';
import { BooksModule } from '../../../fixtures/shelves/books-module';
import { ShopModule } from '../../../fixtures/shop/shop-module';

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
ajv.addSchema(layout, 'layout');

/** Returns the validation errors of a document that should be a list, an API or a service. */
function wrongWith(kind: 'List' | 'Api' | 'Service', document: unknown): unknown {
  const validate = ajv.compile({ $ref: `layout#/$defs/${kind}` });
  validate(document);
  return validate.errors ?? [];
}

let platform: TestPlatform;
beforeAll(
  async () =>
    (platform = await startTestPlatform({
      extra: [new ClubModule(), new HostileModule(), new ShopModule(), new BooksModule()],
      local: sampleAuthentication,
    })),
);
afterAll(() => platform.stop());

async function read(below: string): Promise<unknown> {
  const answer = await platform.request(`/platform/documentation${below}`, {
    headers: { accept: 'application/json' },
  });
  expect(answer.status).toBe(200);
  return answer.json();
}

const APIS = [
  'Atlas-v1',
  'Atlas-v2',
  'Club',
  'Annex',
  'Hostile',
  'Shop-v1',
  'Shop-v2',
  'Shelves-v1',
  'Shelves-v2',
];

describe('the JSON of the documentation has the published layout', () => {
  it('as the list', async () => {
    expect(wrongWith('List', await read(''))).toEqual([]);
  });

  it.each(APIS)('as the API %s, and as each of its services', async (api) => {
    const document = (await read(`/${api}`)) as { readonly services: readonly { readonly name: string }[] };
    expect(wrongWith('Api', document)).toEqual([]);
    for (const { name } of document.services) {
      const service = await read(`/${api}/${encodeURIComponent(name)}`);
      expect(wrongWith('Service', service)).toEqual([]);
      expect(document.services).toContainEqual(service);
    }
  });

  it('and each document is exactly one of the three kinds', async () => {
    const validate = ajv.compile({ $ref: 'layout' });
    for (const below of ['', '/Atlas', '/Atlas/Visit']) expect(validate(await read(below))).toBe(true);
  });
});

/** Returns all objects within a document. */
function objectsIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : [value];
  return [...own, ...Object.values(value).flatMap(objectsIn)];
}

it('rejects an unknown and a missing member', async () => {
  const api = await read('/Shelves-v2');
  const ofLayout = objectsIn(api).filter(
    (one) => !('type' in one && !('schema' in one)) && 'description' in one,
  );
  expect(ofLayout.length).toBeGreaterThan(10);
  for (const one of ofLayout) {
    Object.assign(one, { surprise: true });
    expect(wrongWith('Api', api)).not.toEqual([]);
    Reflect.deleteProperty(one, 'surprise');
    const { description } = one as { readonly description: unknown };
    Reflect.deleteProperty(one, 'description');
    expect(wrongWith('Api', api)).not.toEqual([]);
    Object.assign(one, { description });
  }
  expect(wrongWith('Api', api)).toEqual([]);
});
