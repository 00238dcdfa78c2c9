import { EventManager, isThenable, type ApplicationEvents, type MvcEvent } from '../../../../src/platform';
import { testEvent } from '../../../../src/testing';
import type { AuthenticationAdapter } from '../../../../src/modules/mvc-auth/adapters/adapter';
import type { AuthenticationAttempt } from '../../../../src/modules/mvc-auth/http/authentication';
import { AuthListeners } from '../../../../src/modules/mvc-auth/auth-listeners';
import { Guard } from '../../../../src/modules/mvc-auth/adapters/guard';
import { Throttle } from '../../../../src/modules/mvc-auth/throttling/throttle';
import { ThrottleState } from '../../../../src/modules/mvc-auth/throttling/throttle-state';
import { AuthenticatedIdentity } from '../../../../src/modules/mvc-auth/identity';

const attempt: AuthenticationAttempt = {
  username: 'ada',
  verify: () => ({ outcome: 'authenticated', username: 'ada', fields: [] }),
};
const adapter: AuthenticationAdapter = {
  name: 'quick',
  schemes: ['Quick'],
  takes: () => true,
  authenticate: () => attempt.verify(),
  attempt: () => attempt,
  challenges: () => [],
  warnings: [],
  dispose: () => undefined,
};

function eventOf(authorization: readonly string[]): MvcEvent {
  const event = testEvent({ headers: { Authorization: authorization } });
  event.guard = new Guard([adapter], [{ name: 'quick', realm: 'Quick', schemes: ['quick'] }]);
  event.access = ['ada'];
  return event;
}

describe('authentication and authorization with a synchronous adapter', () => {
  const events = new EventManager<ApplicationEvents>();
  const settings = { enabled: true, failures: 10, per_address: 100, window: 60 };
  const throttle = new Throttle(settings, new ThrottleState());
  events.attachGroup(new AuthListeners(throttle));

  it('creates no promise', () => {
    const event = eventOf(['Quick x']);
    expect(isThenable(events.trigger('route', event))).toBe(false);
    expect(event.identity?.name).toBe('ada');
  });

  it('creates none for a synchronous policy', () => {
    const event = eventOf(['Quick x']);
    const rule = { policy: 'owner-only' };
    event.access = rule;
    const check = jest.fn(() => true);
    const policy = { name: 'owner-only', description: '', check };
    event.endpoint = { name: 'Note', handler: () => undefined, access: rule, policy };
    expect(isThenable(events.trigger('route', event))).toBe(false);
    expect(check).toHaveBeenCalledWith(event, event.identity);
  });

  it('denies access when the policy of a rule is missing', () => {
    const event = eventOf(['Quick x']);
    event.access = { policy: 'owner-only' };
    expect(() => events.trigger('route', event)).toThrow('The policy "owner-only" is not compiled for');
  });

  it('creates none with synchronous listeners', () => {
    events.attach(
      'authentication.post',
      ({ identity }) => new AuthenticatedIdentity(identity.name ?? '', ['x']),
    );
    events.attach('authorization.post', () => undefined);
    const event = eventOf(['Quick x']);
    expect(isThenable(events.trigger('route', event))).toBe(false);
    expect(event.identity).toMatchObject({ name: 'ada', groups: ['x'] });
  });
});
