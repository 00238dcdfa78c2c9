import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { EventManager, isThenable, MvcEvent, Request, type ApplicationEvents } from '../../../src/platform';
import type { AuthenticationAdapter, AuthenticationAttempt } from '../../../src/modules/mvc-auth/adapter';
import { AuthListeners } from '../../../src/modules/mvc-auth/auth-listeners';
import { Guard } from '../../../src/modules/mvc-auth/guard';
import { Throttle, ThrottleState } from '../../../src/modules/mvc-auth/throttling/throttle';
import { AuthenticatedIdentity } from '../../../src/modules/mvc-auth/identity';

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
  const message = new IncomingMessage(new Socket());
  message.method = 'GET';
  message.url = '/';
  message.rawHeaders = authorization.flatMap((value) => ['Authorization', value]);
  const outgoing = new ServerResponse(message);
  const event = new MvcEvent(new Request(message, outgoing), outgoing);
  event.guard = new Guard([adapter], [{ name: 'quick', realm: 'Quick', schemes: ['quick'] }]);
  event.access = ['ada'];
  return event;
}

describe('authentication and authorization by an adapter that answers at once', () => {
  const events = new EventManager<ApplicationEvents>();
  const settings = { enabled: true, failures: 10, per_address: 100, window: 60 };
  const throttle = new Throttle(settings, new ThrottleState());
  events.attachGroup(new AuthListeners(throttle));

  it('make no promise', () => {
    const event = eventOf(['Quick x']);
    expect(isThenable(events.trigger('route', event))).toBe(false);
    expect(event.identity?.name).toBe('ada');
  });

  it('make none either where others listen at once', () => {
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
