import { defineApi } from '../../../../src/platform';
import { startTestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';

const procedure = { handler: () => null };
const api = defineApi({
  name: 'Shop',
  versions: {
    1: {
      services: {
        Search: { kind: 'rpc', route: '/search', methods: { GET: procedure } },
        Probe: { kind: 'rpc', route: '/probe', methods: { HEAD: procedure, OPTIONS: procedure } },
      },
    },
  },
});

const warningsOf = async (key: string, weights: Readonly<Record<string, number>>) => {
  const limit = { limit: 10, window: 60, per: 'user', weights };
  const platform = await startTestPlatform({
    modules: HOSTING,
    extra: [{ name: 'shop', requires: ['hosting'], apis: [api] }],
    local: { 'platform-rate-limits': { [key]: [limit] } },
  });
  const { warnings } = platform.application;
  await platform.stop();
  return warnings.filter((one) => one.includes('platform-rate-limits'));
};

describe('A start warns about the weight of', () => {
  it.each([
    ['HEAD', 'a HEAD counts as much as the GET.'],
    ['OPTIONS', 'OPTIONS is not limited.'],
    ['GTE', 'it is not a method of HTTP. Did you mean "GET"?'],
    ['post', 'it is not a method of HTTP. Did you mean "POST"?'],
  ])('%s, which has no effect', async (method, reason) => {
    expect(await warningsOf('Shop/Search', { GET: 2, [method]: 3 })).toEqual([
      expect.stringMatching(
        new RegExp(
          `^config/autoload/local\\.json:\\d+:\\d+: platform-rate-limits.*weights\\.${method} has no effect: ${reason.replace(/[.?]/g, '\\$&')}$`,
        ),
      ),
    ]);
  });
});

describe('A start does not warn about the weight of', () => {
  it.each([
    ['methods that procedures declare', 'Shop', { HEAD: 2, OPTIONS: 3 }],
    ['methods that no operation has yet', 'Shop/Search', { POST: 2, DELETE: 0 }],
  ])('%s', async (_, key, weights) => {
    expect(await warningsOf(key, weights)).toEqual([]);
  });
});
