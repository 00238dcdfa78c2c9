import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DigestClient } from '../../../factories/sign-in/digest-client';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic, bodyOf } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import { adapter, authentication, CLUB_FILES, ClubModule, PASSWORD } from '../../../fixtures/club-module';
import { PEOPLE } from '../../../fixtures/people';
import { until } from '../http-adapter/adapter-factory';

const people = PEOPLE['config/people.htpasswd'];
const files = {
  ...CLUB_FILES,
  // Two users with the name of a group.
  'config/people.htpasswd':
    people + people.replaceAll(/^(ada|bob)/gm, (name) => (name === 'ada' ? 'staff' : '@staff')),
  'config/groups': 'staff: ada\nboard: bob\n',
};
const BASIC = { accept_schemes: ['basic'], realm: 'Club', htpasswd: 'config/people.htpasswd' };
const DIGEST = {
  accept_schemes: ['digest'],
  realm: 'Club',
  htdigest: 'config/club.htdigest',
  nonce_timeout: '3600',
};
const project = (htgroup: string) => ({
  modules: HOSTING,
  extra: [new ClubModule()],
  files,
  local: authentication(
    {
      basic: adapter({ ...BASIC, htgroup }),
      digest: adapter({ ...DIGEST, htgroup }),
    },
    { 'Club-v1': 'digest', 'Club-v2': 'basic' },
    { Club: { Hall: { GET: ['@staff'] }, Members: { GET: ['@board', 'ada'] } } },
  ),
});

describe('the groups of users', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform(project('config/groups'))));
  afterAll(() => platform.stop());

  const statusOf = async (user: string, door: string): Promise<number> =>
    (await platform.request(`/v2/club/${door}`, { headers: { Authorization: basic(user, PASSWORD) } }))
      .status;

  it('are passed to handlers', async () => {
    const headers = { Authorization: basic('ada', PASSWORD) };
    expect(await bodyOf(await platform.request('/v2/club/hall', { headers }))).toMatchObject({
      groups: ['staff'],
    });
  });

  it('grant access by rule, next to the users it names', async () => {
    expect(await statusOf('ada', 'hall')).toBe(200);
    expect(await statusOf('bob', 'hall')).toBe(403);
    expect(await statusOf('bob', 'members')).toBe(200);
    expect(await statusOf('ada', 'members')).toBe(200);
  });

  it("grant nothing to a user whose name equals a group's", async () => {
    for (const user of ['staff', '@staff']) {
      expect(await statusOf(user, 'board')).toBe(403);
      expect(await statusOf(user, 'hall')).toBe(403);
    }
  });

  it('work with Digest too', async () => {
    const url = `${platform.origin}/v1/club/hall`;
    expect((await new DigestClient({ username: 'ada', password: PASSWORD }).fetch(url)).status).toBe(200);
    expect((await new DigestClient({ username: 'bob', password: PASSWORD }).fetch(url)).status).toBe(403);
  });

  it('follow changes of the file', async () => {
    await writeFile(path.join(platform.root, 'config/groups'), 'staff: bob\nno group here\n');
    await until(async () => (await statusOf('bob', 'hall')) === 200);
    expect(await statusOf('ada', 'hall')).toBe(403);
    expect(platform.log.lines).toContainEqual(
      expect.objectContaining({
        message: expect.stringMatching(
          /^Authentication adapter "basic": .*groups, line 2: expected group: /,
        ) as unknown,
      }),
    );
  });
});

it('prevent startup when the group file is missing', async () => {
  expect(await startRefusal(project('config/gruops'))).toMatch(
    /adapter "basic": htgroup: the file .*gruops does not exist; create it with one line per group, such as "staff: alice bob"$/m,
  );
});
