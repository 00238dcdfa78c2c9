import { defineApi, defineProcedure, defineRpcService, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf } from '../../../factories/http/requests';

const SERVICES = 450;

class CatalogModule implements Module {
  readonly name = 'catalog';
  readonly apis = [
    defineApi({
      name: 'Catalog',
      versions: {
        1: {
          services: Object.fromEntries(
            Array.from({ length: SERVICES }, (_, at) => [
              `DeliveryNoteCollection${at}`,
              defineRpcService({
                route: `/notes${at}`,
                methods: { GET: defineProcedure({ handler: () => ({ ok: true }) }) },
              }),
            ]),
          ),
        },
      },
    }),
  ];
}

describe('The documentation of an API with hundreds of services', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ extra: [new CatalogModule()] })));
  afterAll(() => platform.stop());

  const ask = (name: string): Promise<Response> =>
    platform.request(`/platform/documentation/Catalog/${name}`, { headers: { Accept: 'application/json' } });

  it('names the closest service and the first 20 for an unknown one', async () => {
    const problem = await bodyOf(await ask('DeliveryNoteColection449'));
    expect(problem.did_you_mean).toBe('DeliveryNoteCollection449');
    expect(problem.services).toHaveLength(20);
    expect(problem.detail).toMatch(
      /^Catalog-v1 has no service "DeliveryNoteColection449"\. Did you mean "DeliveryNoteCollection449"\? Available: DeliveryNoteCollection0, .* and 430 more\.$/,
    );
  });

  it('responds within 2 KB for an unknown service', async () => {
    expect((await (await ask('Nothing')).text()).length).toBeLessThan(2048);
  });
});
