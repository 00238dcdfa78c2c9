import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { CircuitBreaker } from '../../../../src/modules/mvc-auth/bearer/introspection/circuit-breaker';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import { secondsFromNow, signed } from '../../../factories/sign-in/tokens';
import { until } from '../../../factories/until';
import { authentication, ClubModule } from '../../../fixtures/club-module';

interface Question {
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly form: Readonly<Record<string, string>>;
}

const project = (options: Record<string, string | number | boolean>) => ({
  modules: HOSTING,
  extra: [new ClubModule()],
  local: authentication(
    {
      opaque: {
        adapter: 'IntrospectionAdapter',
        options: { client_id: 'the club', client_secret: 'pass:word+', realm: 'Club', ...options },
      },
    },
    { Club: 'opaque' },
    { Club: { Members: { GET: ['scope:write'] } } },
  ),
});

describe('An IntrospectionAdapter', () => {
  let server: Server;
  let platform: TestPlatform;
  let questions: Question[];
  let respond: (token: string, outgoing: ServerResponse) => void;
  const json =
    (value: unknown, status = 200) =>
    (_: string, outgoing: ServerResponse): void =>
      void outgoing.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));

  beforeEach(async () => {
    questions = [];
    respond = json({ active: false });
    server = createServer((message, outgoing) => {
      void text(message).then((body) => {
        const form = Object.fromEntries(new URLSearchParams(body));
        questions.push({ method: message.method, headers: message.headers, form });
        respond(form.token ?? '', outgoing);
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(async () => {
    await platform.stop();
    server.closeAllConnections();
    server.close();
  });

  const start = async (options: object): Promise<void> => {
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/introspect`;
    platform = await startTestPlatform(project({ endpoint, ...options }));
  };
  const ask = (token: string, path = '/club/hall'): Promise<Response> =>
    platform.request(path, { headers: { Authorization: `Bearer ${token}` } });
  const warnings = (): readonly string[] =>
    platform.log.lines.filter(({ level }) => level === 'warn').map(({ message }) => message);

  it('asks the endpoint once about a token, with the credentials of the service', async () => {
    await start({});
    respond = json({ active: true, sub: 'ada', scope: 'read', groups: ['staff'], exp: secondsFromNow(60) });
    for (let i = 0; i < 3; i++)
      expect(await bodyOf(await ask('opaque+1'))).toMatchObject({
        name: 'ada',
        scopes: ['read'],
        groups: ['staff'],
      });
    expect(questions).toHaveLength(1);
    const [{ method, headers, form }] = questions as [Question];
    expect([method, form]).toEqual(['POST', { token: 'opaque+1', token_type_hint: 'access_token' }]);
    expect(headers.authorization).toBe(`Basic ${Buffer.from('the+club:pass%3Aword%2B').toString('base64')}`);
    const answer = await ask('opaque+1', '/club/members');
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer realm="Club", error="insufficient_scope", scope="write"',
    ]);
  });

  it.each([true, false])(
    'remembers a token for no longer when the clock is set back (valid: %s)',
    async (active) => {
      const { now } = Date;
      const steady = performance.now.bind(performance);
      let [offset, passed] = [0, 0];
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + offset);
      const steadyClock = jest.spyOn(performance, 'now').mockImplementation(() => steady() + passed);
      try {
        await start({ cache_seconds: 60 });
        respond = json({ active, sub: 'ada' });
        const { status } = await ask('a');
        offset = -3_600_000;
        expect((await ask('a')).status).toBe(status);
        expect(questions).toHaveLength(1);
        passed = 61_000;
        expect((await ask('a')).status).toBe(status);
        expect(questions).toHaveLength(2);
      } finally {
        steadyClock.mockRestore();
        clock.mockRestore();
      }
    },
  );

  it('asks once for requests with one token at the same time', async () => {
    await start({ cache_seconds: 0, timeout: 60 });
    const active = json({ active: true, sub: 'ada' });
    const held: (() => void)[] = [];
    respond = (token, outgoing) => void held.push(() => active(token, outgoing));
    const asked = Array.from({ length: 10 }, () => ask('a'));
    await until(() => platform.application.inFlight === asked.length && held.length > 0);
    for (const answer of held) answer();
    respond = active;
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(questions).toHaveLength(1);
    await ask('a');
    expect(questions).toHaveLength(2);
  });

  it.each<readonly [string, object, object]>([
    ['not active', { active: false }, {}],
    ['expired', { active: true, sub: 'ada', exp: 1 }, {}],
    ['whose expiry cannot be read', { active: true, sub: 'ada', exp: '1' }, {}],
    ['whose expiry is not a date', { active: true, sub: 'ada', exp: 1e17 }, {}],
    ['that is not valid yet', { active: true, sub: 'ada', nbf: secondsFromNow(60) }, {}],
    ['whose beginning cannot be read', { active: true, sub: 'ada', nbf: '1' }, {}],
    ['that is bound to a certificate', { active: true, sub: 'ada', cnf: { 'x5t#S256': 'a' } }, {}],
    [
      'that is bound to a DPoP key',
      { active: true, sub: 'ada', token_type: 'Bearer', cnf: { jkt: 'a' } },
      {},
    ],
    ['whose name has an invisible character', { active: true, sub: 'a\u202eda' }, {}],
    ['without a name', { active: true }, {}],
    ['of another type', { active: true, sub: 'ada', token_type: 'DPoP' }, {}],
    ['of another issuer', { active: true, sub: 'ada', iss: 'b' }, { issuer: 'a' }],
    ['without an issuer', { active: true, sub: 'ada' }, { issuer: 'a' }],
    ['for another audience', { active: true, sub: 'ada', aud: ['b'] }, { audience: 'a' }],
  ])('refuses a token %s, and remembers that', async (_, response, options) => {
    await start(options);
    respond = json(response);
    for (let i = 0; i < 2; i++) {
      const answer = await ask('refused');
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('Bearer realm="Club", error="invalid_token"');
    }
    expect(questions).toHaveLength(1);
  });

  it('accepts a token that begins in a moment, since clocks differ', async () => {
    await start({});
    respond = json({ active: true, sub: 'ada', nbf: secondsFromNow(2), iat: secondsFromNow(2) });
    expect((await ask('new')).status).toBe(200);
  });

  it('refuses a token whose expiry is beyond all numbers', async () => {
    await start({});
    respond = (_, outgoing) =>
      void outgoing
        .setHeader('Content-Type', 'application/json')
        .end('{"active":true,"sub":"ada","exp":1e999}');
    expect((await ask('endless')).status).toBe(401);
  });

  it.each([
    [{ active: false }, 'did not accept the token: it has expired, was revoked, or is unknown'],
    [
      { active: true, sub: 7, aud: 'club' },
      'the claim "sub", which contains the name of the user, is a number',
    ],
    [{ active: true, sub: 'ada', aud: 'pub' }, 'has another "aud" than "club"'],
    [{ active: true, sub: 'ada', aud: 'club', token_type: 'DPoP' }, 'another "token_type" than Bearer'],
    [{ active: true, sub: 'ada', aud: 'club', cnf: {} }, 'bound to a key of its client'],
  ])('logs why it refuses a token, once: %j', async (response, reason) => {
    await start({ audience: 'club' });
    respond = json(response);
    for (const token of ['a', 'b', 'b']) expect((await ask(token)).status).toBe(401);
    const lines = platform.log.lines.filter(({ message }) => message.startsWith('Credentials were refused'));
    expect(lines.map(({ message }) => message)).toEqual([expect.stringContaining(reason)]);
  });

  it('accepts the audience in a list, and a name in another member', async () => {
    await start({ audience: 'a', name_claim: 'username' });
    respond = json({ active: true, username: 'bob', aud: ['b', 'a'], token_type: 'bearer' });
    expect(await bodyOf(await ask('t'))).toMatchObject({ name: 'bob' });
  });

  it('does not ask about malformed tokens', async () => {
    await start({});
    for (const token of ['', 'a b', 'ä', 'x'.repeat(8_200), '{}'])
      expect((await ask(encodeURI(token).replaceAll('%20', ' '))).status).toBe(401);
    expect(questions).toEqual([]);
  });

  it.each<readonly [string, (token: string, outgoing: ServerResponse) => void, string]>([
    ['an error', json({}, 500), 'it responded 500'],
    ['wrong credentials', json({}, 401), 'it responded 401: check client_id and client_secret'],
    ['a redirect', (_, outgoing) => void outgoing.writeHead(307, { Location: '/' }).end(), 'a redirect'],
    ['text', (_, outgoing) => void outgoing.end('active'), 'is not JSON'],
    ['active as text', json({ active: 'true', sub: 'ada' }), 'no member "active"'],
    ['a list', json([{ active: true }]), 'no member "active"'],
    ['too much', (_, outgoing) => void outgoing.end(' '.repeat(70_000)), 'longer than 65536 bytes'],
    ['a closed connection', (_, outgoing) => void outgoing.socket?.destroy(), 'other side closed'],
    ['nothing', () => undefined, 'did not respond within 1 seconds'],
  ])(
    'responds with 503 and never 200 or 401 while the endpoint responds with %s',
    async (response, broken, reason) => {
      await start({ timeout: response === 'nothing' ? 1 : 60 });
      const good = json({ active: true, sub: 'ada', exp: secondsFromNow(60) });
      respond = good;
      expect((await ask('known')).status).toBe(200);
      respond = broken;
      const answer = await ask('unknown');
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
      expect(warnings()).toEqual([expect.stringContaining(reason)]);
      expect(warnings().join()).not.toMatch(/unknown|pass/);
      // What is remembered, guests and other APIs are not affected.
      expect((await ask('known')).status).toBe(200);
      expect((await platform.request('/club/hall')).status).toBe(200);
      expect((await ask('unknown', '/annex/door')).status).toBe(200);
      respond = good;
      expect((await ask('unknown')).status).toBe(200);
      expect(warnings().at(-1)).toContain('is available again');
    },
  );

  it('stops asking an endpoint that keeps failing', async () => {
    await start({});
    respond = json({}, 503);
    const answers: Response[] = [];
    for (let i = 0; i < 20; i++) answers.push(await ask(`token-${i}`));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(questions).toHaveLength(3);
    expect(answers.at(-1)?.headers.get('retry-after')).toBe('10');
    expect(warnings()).toHaveLength(1);
  });

  it('refuses tokens that the endpoint refuses to read, and keeps asking about others', async () => {
    await start({});
    const good = json({ active: true, sub: 'ada' });
    const refuse = json({ error: 'invalid_request', error_description: 'The token is malformed.' }, 400);
    respond = (token, outgoing) => (token === 'good' ? good : refuse)(token, outgoing);
    for (const token of ['a', 'b', 'c', 'd', 'd']) {
      const answer = await ask(token);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
    expect(questions).toHaveLength(4);
    expect((await ask('good')).status).toBe(200);
    expect(warnings()).toEqual([]);
  });

  it.each<readonly [string, object, number, string]>([
    ['429', {}, 429, '7'],
    ['another 400', { error: 'unsupported_token_type' }, 400, '1'],
  ])(
    'responds with 503 to a token for which the endpoint responds %s, and asks about others',
    async (...row) => {
      const [, error, status, retryAfter] = row;
      await start({});
      const good = json({ active: true, sub: 'ada' });
      respond = (token, outgoing) => {
        if (status === 429) outgoing.setHeader('Retry-After', '7');
        (token === 'good' ? good : json(error, status))(token, outgoing);
      };
      for (const token of ['a', 'b', 'c', 'd']) {
        const answer = await ask(token);
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, retryAfter]);
      }
      expect((await ask('good')).status).toBe(200);
      expect(warnings()).toEqual([
        expect.stringContaining(`it responded ${status}`),
        expect.stringContaining('is available again'),
      ]);
    },
  );

  it.each([413, 414, 422, 431])(
    'refuses the tokens for which the endpoint responds %i, and asks about others',
    async (status) => {
      await start({});
      const good = json({ active: true, sub: 'ada' });
      respond = (token, outgoing) => (token === 'good' ? good : json({}, status))(token, outgoing);
      for (const token of ['a', 'b', 'c', 'd']) expect((await ask(token)).status).toBe(401);
      expect((await ask('good')).status).toBe(200);
      expect(warnings()).toEqual([]);
    },
  );

  it.each([403, 404])(
    'keeps asking about other tokens if something responds %i to one, once the endpoint has decided',
    async (status) => {
      await start({});
      const good = json({ active: true, sub: 'ada' });
      respond = (token, outgoing) => (token.startsWith('good') ? good : json({}, status))(token, outgoing);
      expect((await ask('good-1')).status).toBe(200);
      for (const token of ['a', 'b', 'c', 'd']) expect((await ask(token)).status).toBe(503);
      expect((await ask('good-2')).status).toBe(200);
      expect(warnings()).toHaveLength(2);
      // How much is logged does not depend on the number of such tokens.
      for (const number of [3, 4, 5]) {
        expect((await ask(`e-${number}`)).status).toBe(503);
        expect((await ask(`good-${number}`)).status).toBe(200);
      }
      expect(warnings()).toHaveLength(2);
    },
  );

  it('reports an outage that follows a token about which the endpoint did not decide', async () => {
    await start({});
    respond = json({}, 429);
    expect((await ask('a')).status).toBe(503);
    respond = json({}, 500);
    expect((await ask('b')).status).toBe(503);
    expect(warnings()).toEqual([
      expect.stringContaining('it responded 429'),
      expect.stringContaining('it responded 500'),
    ]);
  });

  it('takes claims that are null for absent ones', async () => {
    await start({});
    respond = json({ active: true, sub: 'ada', exp: null, nbf: null, cnf: null });
    expect((await ask('nulls')).status).toBe(200);
  });

  it('limits the tokens of one address about which it asks at once', async () => {
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/introspect`;
    const { local, ...others } = project({ endpoint, timeout: 60 });
    platform = await startTestPlatform({
      ...others,
      local: { ...local, server: { trust_proxy: ['loopback'] } },
    });
    const active = json({ active: true, sub: 'ada' });
    // Until others have been served, and the rest of the flood refused, however long that takes.
    const held: (() => void)[] = [];
    respond = (token, outgoing) => {
      if (token.startsWith('good')) active(token, outgoing);
      else held.push(() => active(token, outgoing));
    };
    const from = (address: string, token: string): Promise<Response> =>
      platform.request('/club/hall', {
        headers: { Authorization: `Bearer ${token}`, 'X-Forwarded-For': address },
      });
    const answers: Response[] = [];
    const flood = Array.from({ length: 110 }, async (_, at) =>
      answers.push(await from('192.0.2.66', `junk-${at}`)),
    );
    await until(() => held.length + answers.length === flood.length);
    const innocent = [1, 2, 3].map((at) => from(`192.0.2.${at}`, `good-${at}`));
    expect((await Promise.all(innocent)).map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const answer of held) answer();
    await Promise.all(flood);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(60);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect(questions).toHaveLength(53);
  });

  it('logs the reason of an outage without repeating it', async () => {
    await start({});
    respond = json({}, 500);
    await ask('a');
    const errors = platform.log.lines.filter(({ level }) => level === 'error');
    const reasons: string[] = [];
    expect(errors).toHaveLength(1);
    let error: unknown = Reflect.get(errors[0]?.details ?? {}, 'err');
    for (; error instanceof Error; error = error.cause) reasons.push(error.message);
    expect(reasons).toEqual(['The introspection endpoint cannot decide: it responded 500.']);
  });

  it('leaves tokens to the other adapters of an API while the endpoint fails', async () => {
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/introspect`;
    const secret = 's'.repeat(32);
    const jwt = {
      issuer: 'https://issuer.example',
      audience: 'club',
      algorithms: ['HS256'],
      secret,
      realm: 'Club',
    };
    platform = await startTestPlatform({
      modules: HOSTING,
      extra: [new ClubModule()],
      local: authentication(
        {
          opaque: {
            adapter: 'IntrospectionAdapter',
            options: { client_id: 'club', client_secret: 'secret', realm: 'Club', endpoint },
          },
          jwt: { adapter: 'JwtAdapter', options: jwt },
        },
        { Club: ['opaque', 'jwt'] },
      ),
    });
    respond = json({}, 500);
    const claims = { iss: jwt.issuer, aud: jwt.audience, sub: 'ada', exp: secondsFromNow(60) };
    const token = signed({ alg: 'HS256', typ: 'JWT' }, claims, secret);
    // Once while the endpoint is asked, later with an open circuit.
    for (let i = 0; i < 5; i++) expect(await bodyOf(await ask(token))).toMatchObject({ name: 'ada' });
    expect((await ask('opaque')).status).toBe(503);
  });
});

describe('The circuit of an endpoint', () => {
  it('opens after three failures in a row, lets one request through after ten seconds, and closes with its success', () => {
    let now = 0;
    const circuit = new CircuitBreaker(() => now);
    for (const outcome of ['failed', 'failed', 'succeeded', 'failed', 'failed', 'failed'] as const) {
      expect(circuit.waitingTime()).toBe(0);
      circuit[outcome]();
    }
    now = 4_000;
    expect(circuit.waitingTime()).toBe(6_000);
    now = 10_000;
    expect([circuit.waitingTime(), circuit.waitingTime()]).toEqual([0, 10_000]);
    circuit.failed();
    expect(circuit.waitingTime()).toBe(10_000);
    now = 20_000;
    expect(circuit.waitingTime()).toBe(0);
    circuit.succeeded();
    expect([circuit.waitingTime(), circuit.waitingTime()]).toEqual([0, 0]);
  });
});

it('does not start with an endpoint that is not encrypted', async () => {
  expect(await startRefusal(project({ endpoint: 'http://issuer.example/introspect' }))).toContain(
    'endpoint: http://issuer.example is not encrypted',
  );
});
