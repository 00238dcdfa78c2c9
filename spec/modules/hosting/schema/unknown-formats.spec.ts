import { defineApi, defineProcedure, defineRpcService, Type, type Module } from '../../../../src/platform';
import { startTestPlatform } from '../../../factories/platform';

const shop = (format: string): Module => ({
  name: 'shop',
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
                  query: Type.Object({ q: Type.Optional(Type.String({ format })) }),
                  response: Type.Object({ format: Type.String(), by: Type.Array(Type.String({ format })) }),
                  handler: () => null as never,
                }),
              },
            }),
          },
        },
      },
    }),
  ],
});

const warnings = async (options: Parameters<typeof startTestPlatform>[0]): Promise<readonly string[]> => {
  const platform = await startTestPlatform(options);
  const { warnings: all } = platform.application;
  await platform.stop();
  return all.filter((warning) => warning.startsWith('The format'));
};

describe('a format without a validator', () => {
  it('is reported at startup with its locations and the available formats', async () => {
    const [warning = '', ...others] = await warnings({ extra: [shop('e-mail')] });
    expect(others).toEqual([]);
    expect(warning).toContain(
      'The format "e-mail" of the query of Shop-v1/Search GET, the answer of Shop-v1/Search GET is unknown and not validated',
    );
    expect(warning).toContain(' email, ');
  });

  it('is reported in configuration, too', async () => {
    const methods = {
      POST: {
        handler: 'not-implemented',
        fields: { type: 'object', properties: { a: { type: 'string', format: 'zip' } } },
      },
    };
    const services = { Post: { kind: 'rpc', route: '/post', methods } };
    const local = { 'platform-hosting': { apis: { Mail: { versions: { 1: { services } } } } } };
    expect(await warnings({ local })).toEqual([
      expect.stringContaining('The format "zip" of the body of Mail-v1/Post POST'),
    ]);
  });

  it('is not reported when it is known, or is only the name of a member', async () => {
    expect(await warnings({ extra: [shop('email')] })).toEqual([]);
  });
});
