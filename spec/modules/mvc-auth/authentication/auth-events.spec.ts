import {
  AuthenticatedIdentity,
  EventManager,
  Problem,
  Response as Answer,
  type ApplicationEvents,
  type Module,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic, bodyOf } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';
import {
  authentication,
  CLUB_ADAPTERS,
  CLUB_FILES,
  ClubModule,
  PASSWORD,
} from '../../../fixtures/club-module';

type Attach = (events: EventManager<ApplicationEvents>) => void;

let platform: TestPlatform;
afterEach(() => platform.stop());

/** A club with listeners of a separate module; the annex has no adapter. */
async function start(attach: Attach): Promise<void> {
  const module: Module = {
    name: 'listening',
    requires: ['mvc-auth'],
    onBootstrap: ({ application }) => attach(application.events),
  };
  platform = await startTestPlatform({
    modules: HOSTING,
    extra: [new ClubModule(), module],
    files: CLUB_FILES,
    local: authentication(CLUB_ADAPTERS, { Club: 'basic' }),
  });
}

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  platform.request(path, { method, headers });
const ada = { Authorization: basic('ada', PASSWORD) };
const wrong = { Authorization: basic('ada', 'wrong') };
const key = { 'X-Api-Key': 'k3y' };

/** An identity source: an API key. */
const apiKeys =
  (priority?: number, groups: string[] = []): Attach =>
  (events) =>
    events.attach(
      'authentication',
      ({ request }) =>
        request.header('x-api-key') === 'k3y' ? new AuthenticatedIdentity('robot', groups) : undefined,
      priority,
    );

describe('an authentication listener', () => {
  it('adds an identity source to the adapters', async () => {
    await start(apiKeys());
    expect(await bodyOf(await ask('/club/members', key))).toMatchObject({ name: 'robot', isGuest: false });
    expect(await bodyOf(await ask('/club/members', ada))).toMatchObject({ name: 'ada' });
    expect((await ask('/club/members')).status).toBe(401);
  });

  it.each([
    ['an object', (identity: object) => identity],
    ['a frozen object', (identity: object) => Object.freeze(identity)],
  ])('may return an identity without scopes: %s', async (_, wrap) => {
    await start((events) =>
      events.attach('authentication', () => wrap({ name: 'robot', isGuest: false, groups: ['machines'] })),
    );
    expect(await bodyOf(await ask('/club/members'))).toMatchObject({
      name: 'robot',
      groups: ['machines'],
      scopes: [],
    });
  });

  it('is an identity source for APIs without an adapter too', async () => {
    await start(apiKeys());
    expect(await bodyOf(await ask('/annex/door', key))).toMatchObject({ name: 'robot' });
  });

  it('takes precedence over the adapters with a priority above 1, and follows them below it', async () => {
    await start(apiKeys(10));
    expect(await bodyOf(await ask('/club/hall', { ...key, ...ada }))).toMatchObject({ name: 'robot' });
    expect(await bodyOf(await ask('/club/hall', { ...key, ...wrong }))).toMatchObject({ name: 'robot' });
    await platform.stop();
    await start(apiKeys(0));
    expect(await bodyOf(await ask('/club/hall', { ...key, ...ada }))).toMatchObject({ name: 'ada' });
    expect((await ask('/club/hall', { ...key, ...wrong })).status).toBe(401);
    expect(await bodyOf(await ask('/club/hall', key))).toMatchObject({ name: 'robot' });
  });

  it('may be asynchronous, reject credentials, or respond itself', async () => {
    await start((events) =>
      events.attach(
        'authentication',
        async ({ request }) => {
          await new Promise((done) => setTimeout(done, 5));
          const says = request.header('x-says');
          if (says === 'problem') throw new Problem(403, 'Not today.');
          if (says === 'answer') return new Answer(204);
          return says === 'name' ? new AuthenticatedIdentity('late') : undefined;
        },
        10,
      ),
    );
    expect((await ask('/club/hall', { 'X-Says': 'problem' })).status).toBe(403);
    expect((await ask('/club/hall', { 'X-Says': 'answer' })).status).toBe(204);
    expect(await bodyOf(await ask('/club/board', { 'X-Says': 'name' }))).toMatchObject({ status: 403 });
    expect(await bodyOf(await ask('/club/members', { 'X-Says': 'name' }))).toMatchObject({ name: 'late' });
    expect(await bodyOf(await ask('/club/hall'))).toMatchObject({ isGuest: true });
  });

  it('that returns an incomplete identity causes an error, not a guest', async () => {
    await start((events) => events.attach('authentication', () => ({ isGuest: false, name: 'x' }), 10));
    expect((await ask('/club/hall')).status).toBe(500);
  });

  it.each([[{ name: 'ada', groups: [] }], ['ada']])(
    'that returns an object without isGuest, or a name, causes an error, not a guest: %j',
    async (result) => {
      await start((events) => events.attach('authentication', () => Promise.resolve(result), 10));
      expect((await ask('/club/hall')).status).toBe(500);
      expect(platform.log.lines.at(-1)?.details).toMatchObject({
        err: { message: expect.stringContaining('An identity needs "name"') as string },
      });
    },
  );

  it.each([[['']], [[]]])('that returns a user without a name causes an error: %j', async (names) => {
    const make = (): AuthenticatedIdentity =>
      Reflect.construct(AuthenticatedIdentity, names) as AuthenticatedIdentity;
    await start((events) => events.attach('authentication', make, 10));
    expect((await ask('/club/members')).status).toBe(500);
    expect(make).toThrow('An authenticated user needs a name');
  });
});

describe('an authentication.post listener', () => {
  it('rejects a user with valid credentials', async () => {
    await start((events) =>
      events.attach('authentication.post', ({ identity }) => {
        if (identity.name === 'ada') throw new Problem(403, 'Blocked.');
      }),
    );
    expect(await bodyOf(await ask('/club/hall', ada))).toMatchObject({ status: 403, detail: 'Blocked.' });
    expect((await ask('/club/hall', { Authorization: basic('bob', PASSWORD) })).status).toBe(200);
    expect((await ask('/club/hall')).status).toBe(200);
  });

  it('replaces the identity, and the next listener receives the replacement', async () => {
    await start((events) => {
      events.attach('authentication.post', ({ identity }) =>
        identity.isGuest ? undefined : new AuthenticatedIdentity(`${identity.name ?? ''}!`),
      );
      events.attach('authentication.post', ({ identity }) =>
        identity.isGuest ? undefined : new AuthenticatedIdentity(`${identity.name ?? ''}?`, ['staff']),
      );
    });
    expect(await bodyOf(await ask('/club/hall', ada))).toMatchObject({ name: 'ada!?', groups: ['staff'] });
    expect(await bodyOf(await ask('/club/hall'))).toMatchObject({ name: null });
  });

  it('responds instead of the operation', async () => {
    await start((events) => events.attach('authentication.post', () => new Answer(204)));
    expect((await ask('/club/hall')).status).toBe(204);
  });
});

describe('an authorization listener', () => {
  const permitBob: Attach = (events) =>
    events.attach('authorization', ({ identity }) => (identity.name === 'bob' ? true : undefined), 10);
  const denyHall: Attach = (events) =>
    events.attach('authorization', ({ request }) => (request.path === '/club/hall' ? false : undefined), 10);

  it('permits what the rule denies, and otherwise leaves the decision to the rule', async () => {
    await start(permitBob);
    expect((await ask('/club/board', { Authorization: basic('bob', PASSWORD) })).status).toBe(200);
    expect((await ask('/club/board', ada)).status).toBe(200);
    expect((await ask('/club/board')).status).toBe(401);
  });

  it('denies what the rule permits: guests with 401, users with 403', async () => {
    await start(denyHall);
    expect((await ask('/club/hall')).status).toBe(401);
    expect((await ask('/club/hall', ada)).status).toBe(403);
    expect((await ask('/club/members', ada)).status).toBe(200);
  });

  it('gives a reason in the event; one that it returns is an error, and never permits', async () => {
    await start((events) =>
      events.attach(
        'authorization',
        (event) => {
          if (event.request.path === '/club/hall') return 'Closed on Mondays.';
          event.reason = 'Closed on Sundays.';
          return false;
        },
        10,
      ),
    );
    expect((await ask('/club/hall', ada)).status).toBe(500);
    expect(await bodyOf(await ask('/club/members', ada))).toMatchObject({
      status: 403,
      detail: 'Closed on Sundays.',
    });
  });

  it('responds itself', async () => {
    await start((events) => events.attach('authorization', () => new Answer(204), 10));
    expect((await ask('/club/board')).status).toBe(204);
  });
});

describe('an authorization.post listener', () => {
  it('receives the decision, and may respond or deny', async () => {
    const seen: unknown[] = [];
    await start((events) =>
      events.attach('authorization.post', ({ permitted, identity, rule, request }) => {
        seen.push([permitted, identity.name, rule]);
        if (request.header('x-says') === 'problem') throw new Problem(402, 'Pay.');
        return permitted ? undefined : new Answer(204);
      }),
    );
    expect((await ask('/club/board', ada)).status).toBe(200);
    expect((await ask('/club/board')).status).toBe(204);
    expect((await ask('/club/members', { ...ada, 'X-Says': 'problem' })).status).toBe(402);
    expect(seen).toEqual([
      [true, 'ada', ['ada']],
      [false, null, ['ada']],
      [true, 'ada', 'authenticated'],
    ]);
  });
});

describe('the authentication and authorization events', () => {
  it.each(['authentication', 'authentication.post', 'authorization', 'authorization.post'] as const)(
    'cause an error if a listener of %s returns a Response of fetch',
    async (name) => {
      await start((events) => events.attach(name, () => new Response('Closed.', { status: 503 }), 10));
      expect((await ask('/club/hall')).status).toBe(500);
    },
  );

  it.each(['authentication', 'authentication.post', 'authorization', 'authorization.post'] as const)(
    'handle a Problem that a listener of %s returns as one that it throws',
    async (name) => {
      await start((events) => events.attach(name, () => new Problem(403, 'Not today.'), 10));
      expect(await bodyOf(await ask('/club/hall', ada))).toMatchObject({ status: 403, detail: 'Not today.' });
    },
  );

  it('are not triggered for OPTIONS', async () => {
    const heard: string[] = [];
    await start((events) => {
      events.attach('authentication', ({ name }) => void heard.push(name), 10);
      events.attach('authentication.post', ({ name }) => void heard.push(name));
      events.attach('authorization', ({ name }) => void heard.push(name), 10);
      events.attach('authorization.post', ({ name }) => void heard.push(name));
    });
    expect((await ask('/club/board', {}, 'OPTIONS')).status).toBe(204);
    expect(heard).toEqual([]);
    expect((await ask('/club/board', ada)).status).toBe(200);
    expect(heard).toEqual(['authentication', 'authentication.post', 'authorization', 'authorization.post']);
  });

  it('are not triggered without listeners of other modules', async () => {
    const trigger = jest.spyOn(EventManager.prototype, 'triggerUntil');
    try {
      await start(() => undefined);
      expect((await ask('/club/board', ada)).status).toBe(200);
      expect((await ask('/club/board')).status).toBe(401);
      const names = trigger.mock.calls.map(([, name]) => name);
      expect(names).toContain('route');
      expect(names.filter((name) => name.startsWith('auth'))).toEqual([]);
    } finally {
      trigger.mockRestore();
    }
  });

  it('reach wildcard listeners', async () => {
    const heard: string[] = [];
    await start((events) => events.attach('*', ({ name }) => void heard.push(name), 100));
    expect((await ask('/club/board', ada)).status).toBe(200);
    expect(heard).toEqual(expect.arrayContaining(['authentication', 'authorization']));
  });
});
