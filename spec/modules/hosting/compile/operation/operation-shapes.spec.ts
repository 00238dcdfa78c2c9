import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { defineApi, Type, type Module } from '../../../../../src/platform';
import { Catalogue } from '../../../../../src/modules/hosting';
import { startTestPlatform } from '../../../../factories/platform';
import { HOSTING } from '../../../../factories/processes/start-refusal';

/** Whether two objects have the same hidden class, so that code that reads both reads them fast. */
function haveSameShape(one: unknown, other: unknown): boolean {
  setFlagsFromString('--allow-natives-syntax');
  const compare = runInThisContext('(one, other) => %HaveSameMap(one, other)') as typeof haveSameShape;
  return compare(one, other);
}

const service = (at: number) => ({
  route: `/items-${at}[/:id]`,
  route_identifier_name: 'id',
  fields: Type.Object({ id: Type.String(), [`field_${at}`]: Type.String() }),
  collection: { GET: {}, POST: {} },
  entity: { GET: {}, PUT: {}, DELETE: {} },
  resource: {
    fetch: () => ({}),
    fetchAll: () => [],
    create: () => ({}),
    update: () => ({}),
    delete: () => true,
  },
});

const items: Module = {
  name: 'items',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Items',
      versions: {
        1: {
          services: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`Item${at}`, service(at)])),
        },
      },
    }),
  ],
};

it('the operations of many services share shapes, which requests to them read', async () => {
  const platform = await startTestPlatform({ modules: HOSTING, extra: [items] });
  try {
    const { services } = await platform.application.services.get(Catalogue);
    const all = services.flatMap(({ operations, entityOperations }) => [...operations, ...entityOperations]);
    const [first] = all;
    expect(all).toHaveLength(200);
    for (const endpoint of all) {
      expect(haveSameShape(endpoint, first)).toBe(true);
      expect(haveSameShape(endpoint.handler, first?.handler)).toBe(true);
      expect(haveSameShape(endpoint.negotiation, first?.negotiation)).toBe(true);
    }
  } finally {
    await platform.stop();
  }
});
