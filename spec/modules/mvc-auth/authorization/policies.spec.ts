import type { ConfigObject, Module } from '../../../../src/platform';
import { startTestPlatform, type TestProject } from '../../../factories/platform';
import { basic, bodyOf } from '../../../factories/http/requests';
import { reusedPlatform } from '../../../factories/reused-platform';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { authentication, CLUB_ADAPTERS, CLUB_FILES, PASSWORD } from '../../../fixtures/club-module';
import { policyRequests, PolicyModule } from '../../../fixtures/policy-module';

const project = (authorization: ConfigObject = {}, extra: readonly Module[] = []): TestProject => ({
  modules: HOSTING,
  extra: [new PolicyModule(), ...extra],
  files: CLUB_FILES,
  local: authentication(CLUB_ADAPTERS, { '*': 'basic' }, authorization),
});

const { platform, restart } = reusedPlatform((other: TestProject = project()) => startTestPlatform(other));

const ask = (path: string, user?: string, headers: Record<string, string> = {}): Promise<Response> =>
  platform.request(path, {
    headers: { ...headers, ...(user === undefined ? {} : { Authorization: basic(user, PASSWORD) }) },
  });
const requestAnswer = (answer: string): Promise<Response> => ask('/door', 'ada', { 'X-Answer': answer });

describe('an operation that names a policy', () => {
  it('is open to users that the policy permits, and gives others the reason', async () => {
    expect((await ask('/notes/1', 'ada')).status).toBe(200);
    const refused = await ask('/notes/2', 'ada');
    expect(refused.status).toBe(403);
    expect(await bodyOf(refused)).toMatchObject({ detail: 'Only the author may change a note.' });
  });

  it('challenges guests without asking its policy', async () => {
    policyRequests.length = 0;
    const answer = await ask('/notes/1');
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('Basic');
    expect(Object.keys(await bodyOf(answer))).toEqual(['type', 'title', 'status', 'detail']);
    expect(policyRequests).toEqual([]);
  });

  it('passes the user, the operation, the route, the request and the services to its policy', async () => {
    policyRequests.length = 0;
    await platform.request('/v1/notes/1?x=y', {
      method: 'HEAD',
      headers: { Authorization: basic('ada', PASSWORD) },
    });
    const [context] = policyRequests;
    expect(context?.identity.name).toBe('ada');
    expect(context?.operation).toEqual({
      api: 'Doors',
      version: 1,
      service: 'Note',
      part: 'entity',
      method: 'GET',
    });
    expect(context?.parameters).toMatchObject({ note_id: '1' });
    expect(context?.request.query.get('x')).toBe('y');
    expect(await context?.services.get('open-days')).toEqual(['ada']);
  });

  it.each([
    ['yes', 200],
    ['no', 403],
    ['late', 200],
    ['late-no', 403],
    ['empty', 403],
    ['thenable', 200],
  ])('whose policy returns "%s" responds %i', async (answer, status) => {
    expect((await requestAnswer(answer)).status).toBe(status);
  });

  it.each([
    ['reason', 'Come back on Monday.'],
    ['late-reason', 'Come back on Tuesday.'],
  ])('shows the reason of its policy to the %s', async (answer, detail) => {
    expect(await bodyOf(await requestAnswer(answer))).toMatchObject({ status: 403, detail });
  });

  it.each(['nothing', 'number', 'object', 'late-nothing', 'thenable-nothing', 'error', 'late-error'])(
    'is denied by an error of its policy, which is logged: %s',
    async (answer) => {
      const { status, detail } = await bodyOf(await requestAnswer(answer));
      expect(status).toBe(500);
      expect(JSON.stringify(detail)).not.toMatch(/stuck|policy/);
      const [line] = platform.log.lines;
      expect(String(Reflect.get(line?.details ?? {}, 'err'))).toMatch(
        answer.endsWith('error')
          ? /stuck/
          : /The policy "by-header" returned (undefined|number|object); return true, false or a string/,
      );
    },
  );

  it('responds with the Problem that its policy throws', async () => {
    expect(await bodyOf(await requestAnswer('hidden'))).toMatchObject({
      status: 404,
      detail: 'The note does not exist.',
    });
  });

  it('responds 503 when its policy never settles', async () => {
    expect((await requestAnswer('never')).status).toBe(503);
  });

  it('follows the rule of its API unless a closer rule exists', async () => {
    expect((await ask('/window', 'ada')).status).toBe(200);
    expect((await ask('/window', 'bob')).status).toBe(403);
    expect((await ask('/window')).status).toBe(401);
    expect((await platform.request('/window', { method: 'POST' })).status).toBe(200);
    expect((await ask('/notes')).status).toBe(200);
  });

  it('may be configured, or removed in configuration', async () => {
    await restart(
      project({
        Doors: {
          Window: { GET: { policy: 'by-header' } },
          Note: { entity: { GET: 'guest' }, collection: { GET: { policy: 'owner-only' } } },
        },
      }),
    );
    expect((await ask('/window', 'bob', { 'X-Answer': 'yes' })).status).toBe(200);
    expect((await ask('/notes/1')).status).toBe(200);
    expect((await ask('/notes')).status).toBe(401);
    expect((await ask('/notes', 'ada')).status).toBe(403);
  });

  it('is decided by authorization listeners first, and passes its reason to later listeners', async () => {
    const seen: unknown[] = [];
    const listening: Module = {
      name: 'listening',
      requires: ['mvc-auth'],
      onBootstrap({ application: { events } }) {
        events.attach('authorization', ({ identity }) => (identity.name === 'bob' ? true : undefined), 10);
        events.attach('authorization.post', ({ permitted, reason, rule }) => {
          seen.push([permitted, reason, rule]);
        });
      },
    };
    await restart(project({}, [listening]));
    expect((await ask('/notes/1', 'bob')).status).toBe(200);
    expect(await bodyOf(await requestAnswer('late-reason'))).toMatchObject({
      detail: 'Come back on Tuesday.',
    });
    expect((await requestAnswer('late')).status).toBe(200);
    expect((await requestAnswer('late-error')).status).toBe(500);
    expect(seen).toEqual([
      [true, undefined, { policy: 'owner-only' }],
      [false, 'Come back on Tuesday.', { policy: 'by-header' }],
      [true, undefined, { policy: 'by-header' }],
    ]);
  });
});
