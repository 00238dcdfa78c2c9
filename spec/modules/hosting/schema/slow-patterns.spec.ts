import { defineApi, defineProcedure, defineRpcService, Type, type Module } from '../../../../src/platform';
import { startTestPlatform } from '../../../factories/platform';

const search = (pattern: string): Module => ({
  name: 'search',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Shop',
      versions: {
        1: {
          services: {
            Search: defineRpcService({
              route: '/search',
              methods: {
                GET: defineProcedure({
                  query: Type.Object({ q: Type.Optional(Type.String({ pattern })) }),
                  handler: () => null,
                }),
                POST: defineProcedure({
                  fields: Type.Object({ tags: Type.Array(Type.Object({ name: Type.String({ pattern }) })) }),
                  handler: () => null,
                }),
              },
            }),
          },
        },
      },
    }),
  ],
});

const warningsWith = async (pattern: string): Promise<readonly string[]> => {
  const platform = await startTestPlatform({ extra: [search(pattern)] });
  const { warnings } = platform.application;
  await platform.stop();
  return warnings.filter((warning) => warning.startsWith('The pattern'));
};

it('warns of a pattern that is vulnerable to ReDoS, with its location', async () => {
  expect(await warningsWith('^(a+)+$')).toEqual([
    'The pattern "^(a+)+$" of the query of Shop-v1/Search GET, the body of Shop-v1/Search POST is vulnerable to ReDoS: a crafted text can block the service. Anchor it with "^", and avoid nested or adjacent repetitions that match the same characters.',
  ]);
});

it('warns of one that validates a route parameter', async () => {
  const parameters = { id: Type.String({ pattern: '^(b+)+$' }) };
  const methods = { GET: defineProcedure({ handler: () => null }) };
  const services = { Search: defineRpcService({ route: '/search/:id', parameters, methods }) };
  const apis = [defineApi({ name: 'Shop', versions: { 1: { services } } })];
  const platform = await startTestPlatform({ extra: [{ name: 'shop', requires: ['hosting'], apis }] });
  const { warnings } = platform.application;
  await platform.stop();
  expect(warnings.filter((one) => one.startsWith('The pattern'))).toEqual([
    expect.stringContaining('of the parameter id of Shop-v1/Search is vulnerable to ReDoS'),
  ]);
});

it('warns of one of a response, which clients may have stored, unless responses are not checked', async () => {
  const response = Type.Object({ code: Type.String({ pattern: '^(c+)+$' }) });
  const methods = { GET: defineProcedure({ response, handler: () => ({ code: 'c' }) }) };
  const services = { Search: defineRpcService({ route: '/search', methods }) };
  const apis = [defineApi({ name: 'Shop', versions: { 1: { services } } })];
  const warningsOf = async (check: string): Promise<readonly string[]> => {
    const platform = await startTestPlatform({
      extra: [{ name: 'shop', requires: ['hosting'], apis }],
      local: { 'platform-hosting': { check_responses: check } },
    });
    const { warnings } = platform.application;
    await platform.stop();
    return warnings.filter((one) => one.startsWith('The pattern'));
  };
  expect(await warningsOf('count')).toEqual([
    expect.stringContaining('of the answer of Shop-v1/Search GET is vulnerable to ReDoS'),
  ]);
  expect(await warningsOf('off')).toEqual([]);
});

it('does not warn of one that runs in linear time', async () => {
  expect(await warningsWith('^a+$')).toEqual([]);
});
