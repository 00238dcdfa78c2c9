import type { TSchema } from '@sinclair/typebox';
import { defineApi, defineProcedure, defineRpcService, Type, type Module } from '../../../../src/platform';
import { startTestPlatform } from '../../../factories/platform';

const tea = Type.Object({ kind: Type.String({ description: 'Green or black.' }) });

const rpc = (route: string, response: TSchema) =>
  defineRpcService({ route, methods: { GET: defineProcedure({ response, handler: () => null }) } });

const shop: Module = {
  name: 'shop',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Shop',
      versions: {
        1: {
          services: {
            Maybe: rpc('/maybe', Type.Union([tea, Type.Null()])),
            Always: rpc('/always', tea),
            Order: defineRpcService({
              route: '/orders',
              methods: {
                POST: defineProcedure({
                  status_codes: [
                    { code: 202, message: 'Queued', response: Type.Object({ job: Type.Integer() }) },
                  ],
                  handler: () => null,
                }),
              },
            }),
          },
        },
      },
    }),
  ],
};

const ROW = '| `kind` | string | yes | Green or black. |';

it('lists the response fields of a procedure, and whether the response may be null', async () => {
  const platform = await startTestPlatform({ extra: [shop] });
  const read = async (scope: string, format: string): Promise<string> =>
    (await platform.request(`/platform/documentation/Shop${scope}?format=${format}`)).text();
  const maybe = await read('/Maybe', 'markdown');
  expect(maybe).toContain(ROW);
  expect(maybe).toContain('\n\nThe response may be `null`.\n\n');
  const always = await read('/Always', 'markdown');
  expect(always).toContain(ROW);
  expect(always).not.toContain('null');
  expect((await read('', 'markdown')).split(ROW)).toHaveLength(3);
  expect(await read('/Maybe', 'html')).toContain('The response may be <code>null</code>');
  expect(await read('/Always', 'html')).not.toContain('The response may be');
  await platform.stop();
});

it('lists the fields of statuses with their own schema', async () => {
  const platform = await startTestPlatform({ extra: [shop] });
  const answer = await platform.request('/platform/documentation/Shop/Order?format=markdown');
  expect(await answer.text()).toMatch(/\nWith 202:\n\n\| Field [^]*\n\| `job` \| integer \| yes \|/);
  await platform.stop();
});
