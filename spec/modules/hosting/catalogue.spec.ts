import { defineApi, defineRpcService, type Module } from '../../../src/platform';
import { startTestPlatform } from '../../factories/platform';
import { HOSTING } from '../../factories/processes/start-refusal';

/** An API whose services require a user, as those of an imported document with `security`. */
function guarded(name: string, count: number): Module {
  const services = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `${name}${at}`,
      defineRpcService({
        route: `/${name.toLowerCase()}/${at}`,
        authorization: 'authenticated',
        methods: { GET: { handler: () => ({}) } },
      }),
    ]),
  );
  return { name, requires: ['hosting'], apis: [defineApi({ name, versions: { 1: { services } } })] };
}

describe('services that require a user without an adapter', () => {
  it('have one warning for each version of an API, which names three of them', async () => {
    const platform = await startTestPlatform({
      modules: HOSTING,
      extra: [guarded('Large', 320), guarded('Small', 1)],
    });
    try {
      expect(platform.application.warnings).toEqual([
        'Large0, Large1, Large2 and 317 more of Large-v1 require a user, but no adapter is mapped to them: map one in platform-mvc-auth.authentication.map, or they respond 403 to everyone.',
        'Small0 of Small-v1 requires a user, but no adapter is mapped to it: map one in platform-mvc-auth.authentication.map, or it responds 403 to everyone.',
      ]);
    } finally {
      await platform.stop();
    }
  });
});
