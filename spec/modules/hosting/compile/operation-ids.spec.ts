import type { ConfigObject } from '../../../../src/framework';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';

const operation = (id: string): ConfigObject => ({ operation_id: id, handler: 'not-implemented' });
const api = (first: string, second: string): ConfigObject => ({
  'platform-hosting': {
    apis: {
      Shop: {
        versions: {
          '1': {
            services: {
              Cart: { kind: 'rpc', route: '/cart', methods: { GET: operation(first) } },
              Order: { kind: 'rpc', route: '/orders', methods: { GET: operation(second) } },
            },
          },
        },
      },
    },
  },
});

describe('The operation ids of a version', () => {
  it('are unique', async () => {
    expect(await startRefusal({ modules: HOSTING, local: api('list', 'list') })).toContain(
      'Version 1 of the API Shop: Cart.GET and Order.GET have the same operation_id "list". Rename one of them.',
    );
  });

  it('have no spaces', async () => {
    expect(await startRefusal({ modules: HOSTING, local: api('list', 'list all') })).toMatch(
      /operation_id.*visible ASCII characters without spaces/s,
    );
  });
});
