import type { ConfigObject } from '../../../../src/platform';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import { ClubModule } from '../../../fixtures/club-module';

const refusal = (limits: unknown): Promise<string> =>
  startRefusal({
    modules: HOSTING,
    extra: [new ClubModule()],
    local: { 'platform-rate-limits': limits as ConfigObject },
  });

const limit = { limit: 10, window: 60, per: 'user' };

describe('The platform does not start with a rate limit', () => {
  it.each([
    [
      'of an unknown service',
      { 'Club/Halls': [limit] },
      'API, version, service or operation "Club/Halls" does not exist. Did you mean "Club/Hall"? APIs: Club, Annex.',
    ],
    [
      'of an operation without its part',
      { 'Club/Note GET': [limit] },
      'Write an operation as "Api/Service collection GET", "Api/Service entity GET", or for RPC "Api/Service GET".',
    ],
    ['that is not a list', { Club: limit }, 'config/autoload/local.json'],
    ['without a window', { Club: [{ limit: 10, per: 'user' }] }, 'window'],
    ['per something else', { Club: [{ ...limit, per: 'ip' }] }, 'Write "user", "address" or "all".'],
    ['of zero', { Club: [{ ...limit, limit: 0 }] }, 'limit'],
    [
      'that is there twice',
      { Club: [limit, { ...limit, limit: 5 }] },
      'there is another limit per user within 60 seconds. Remove one of them.',
    ],
    [
      'below the weight of a method',
      { Club: [{ ...limit, weights: { POST: 11 } }] },
      'a POST counts 11, more than the limit of 10: none would ever be allowed. Lower the weight or raise the limit.',
    ],
  ])('%s', async (_, limits, message) => {
    const text = await refusal(limits);
    expect(text).toContain(message);
    expect(text).toMatch(/^config\/autoload\/local\.json:\d+:\d+: platform-rate-limits\./);
  });
});
