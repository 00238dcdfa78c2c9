import { basic } from '../../../factories/http/requests';
import { startTestPlatform } from '../../../factories/platform';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import {
  authentication,
  CLUB_ADAPTERS,
  CLUB_FILES,
  ClubModule,
  PASSWORD,
} from '../../../fixtures/club-module';
import type { ConfigObject } from '../../../../src/platform';

const project = (authorization: ConfigObject) => ({
  modules: HOSTING,
  extra: [new ClubModule()],
  files: CLUB_FILES,
  local: authentication(CLUB_ADAPTERS, { '*': 'basic' }, authorization),
});

/** The statuses of a request by a guest, by ada and by bob. */
async function statuses(authorization: ConfigObject, requests: readonly string[]): Promise<number[][]> {
  const platform = await startTestPlatform(project(authorization));
  const users: Record<string, string>[] = [
    {},
    { Authorization: basic('ada', PASSWORD) },
    { Authorization: basic('bob', PASSWORD) },
  ];
  try {
    const all = requests.map((request) => {
      const [method = 'GET', path = '/'] = request.split(' ');
      return Promise.all(
        users.map(async (headers) => (await platform.request(path, { method, headers })).status),
      );
    });
    return await Promise.all(all);
  } finally {
    await platform.stop();
  }
}

const EVERYONE = [200, 200, 200];
const USERS = [401, 200, 200];
const ADA = [401, 200, 403];

describe('access rules', () => {
  it('are those of the API declaration when configuration sets none', async () => {
    const requests = ['GET /club/hall', 'GET /club/members', 'GET /club/board', 'GET /club/notes'];
    expect(await statuses({}, requests)).toEqual([EVERYONE, USERS, ADA, EVERYONE]);
  });

  it('in configuration override those of the declaration, in both directions', async () => {
    const rules = {
      Club: { Hall: { GET: 'authenticated' }, Members: { GET: ['ada'] }, Board: { GET: 'guest' } },
    };
    const requests = ['GET /club/hall', 'GET /club/members', 'GET /club/board'];
    expect(await statuses(rules, requests)).toEqual([USERS, ADA, EVERYONE]);
  });

  it('of a version override those of the API', async () => {
    const rules = { Club: { Hall: { GET: ['ada'] } }, 'Club-v1': { Hall: { GET: 'guest' } } };
    expect(await statuses(rules, ['GET /v1/club/hall', 'GET /v2/club/hall'])).toEqual([EVERYONE, ADA]);
  });

  it('distinguish collection and entity, and their methods', async () => {
    const rules = { Club: { Note: { collection: { GET: 'authenticated' }, entity: { DELETE: ['ada'] } } } };
    const requests = ['GET /club/notes', 'GET /club/notes/1', 'DELETE /club/notes/1'];
    expect(await statuses(rules, requests)).toEqual([USERS, EVERYONE, [401, 204, 403]]);
  });

  it('for GET apply to HEAD', async () => {
    expect(await statuses({}, ['HEAD /club/board'])).toEqual([ADA]);
  });

  it('deny guests operations without a rule, when that is the default', async () => {
    const rules = { deny_by_default: true, Club: { Note: { collection: { GET: 'guest' } } } };
    const requests = ['GET /club/hall', 'GET /club/board', 'GET /club/notes', 'GET /club/notes/1'];
    expect(await statuses(rules, requests)).toEqual([USERS, ADA, EVERYONE, USERS]);
  });

  it('deny everyone with an empty list', async () => {
    expect(await statuses({ Club: { Hall: { GET: [] } } }, ['GET /club/hall'])).toEqual([[401, 403, 403]]);
  });
});

describe('the platform does not start with a rule that would leave an operation open', () => {
  it.each([
    ['about an unknown API', { Clubb: { Hall: { GET: 'guest' } } }, 'authorization.Clubb', 'Club'],
    ['about an unknown version', { 'Club-v7': {} }, 'authorization.Club-v7', 'Club-v1'],
    ['about an unknown service', { Club: { Hal: { GET: 'guest' } } }, 'authorization.Club.Hal', 'Hall'],
    ['about an unknown method', { Club: { Hall: { GTE: 'guest' } } }, 'Hall.GTE', 'GET'],
    [
      'about the collection of a procedure',
      { Club: { Hall: { collection: { GET: 'guest' } } } },
      'Hall.collection',
      'GET',
    ],
    [
      'about an undeclared method of a collection',
      { Club: { Note: { collection: { DELETE: 'guest' } } } },
      'Note.collection.DELETE',
      'POST',
    ],
  ])('%s', async (_what, rules, key, known) => {
    const refusal = await startRefusal(project(rules));
    expect(refusal).toMatch(/^config\/autoload\/local\.json:\d+/);
    expect(refusal).toContain(key);
    expect(refusal).toMatch(new RegExp(`Available: .*\\b${known}\\b`));
  });

  it.each([
    [{ Club: { Hall: { GET: 'everyone' } } }, 'Write "guest", "authenticated", a list of user names, or'],
    [{ Club: { Hall: { GET: ['ada', 'authenticated'] } } }, 'Write "guest" or "authenticated" alone'],
    [{ deny_by_default: 'yes' }, 'deny_by_default'],
  ])('that is invalid: %j', async (rules, message) => {
    expect(await startRefusal(project(rules))).toContain(message);
  });
});
