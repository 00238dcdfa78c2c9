import type { AuthenticationAdapter } from '../../../../src/modules/mvc-auth/adapters/adapter';
import { Guard } from '../../../../src/modules/mvc-auth/adapters/guard';
import { AuthListeners } from '../../../../src/modules/mvc-auth/auth-listeners';
import { AuthenticationUnavailable } from '../../../../src/modules/mvc-auth/http/authentication-unavailable';
import type { AuthenticationResult } from '../../../../src/modules/mvc-auth/http/authentication';
import { Throttle } from '../../../../src/modules/mvc-auth/throttling/throttle';
import { ThrottleState } from '../../../../src/modules/mvc-auth/throttling/throttle-state';
import { EventManager, type ApplicationEvents } from '../../../../src/platform';
import { testEvent } from '../../../../src/testing';

const REFUSED: AuthenticationResult = { outcome: 'refused', stale: false };

/** Authenticates a request with an adapter whose result is pending. */
async function authenticate(
  authenticateLater: () => Promise<AuthenticationResult>,
  challenges: () => readonly string[],
): Promise<unknown> {
  const adapter: AuthenticationAdapter = {
    name: 'slow',
    schemes: ['Slow'],
    takes: () => true,
    authenticate: authenticateLater,
    challenges,
    warnings: [],
    dispose: () => undefined,
  };
  const settings = { enabled: true, failures: 10, per_address: 100, window: 60 };
  const events = new EventManager<ApplicationEvents>();
  events.attachGroup(new AuthListeners(new Throttle(settings, new ThrottleState())));
  const event = testEvent({ headers: { Authorization: ['Slow x'] } });
  event.guard = new Guard([adapter], [{ name: 'slow', realm: 'Slow', schemes: ['slow'] }]);
  event.access = ['ada'];
  return await events.trigger('route', event);
}

function outage(): never {
  throw new AuthenticationUnavailable('out of reach');
}

it.each([
  [
    'while the verification waits',
    () => Promise.reject(new AuthenticationUnavailable('out of reach')),
    () => [],
  ],
  ['when the challenges of a refusal are created', () => Promise.resolve(REFUSED), outage],
])('an outage that begins %s is a 503', async (_, later, challenges) => {
  await expect(authenticate(later, challenges)).rejects.toMatchObject({
    status: 503,
    code: 'sign_in_unavailable',
  });
});

it('a refusal that was waited for is a 401', async () => {
  await expect(
    authenticate(
      () => Promise.resolve(REFUSED),
      () => [],
    ),
  ).rejects.toMatchObject({ status: 401 });
});
