import { readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import type { ConfigObject } from '../../src/framework';
import { configure } from '../factories/configure';
import { DigestClient } from '../factories/sign-in/digest-client';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../factories/platform';
import { basic } from '../factories/http/requests';

const access = (file: string): ConfigObject => ({
  ...sampleAuthentication,
  'platform-operations': { access_log: { enabled: true, file } },
});

let platform: TestPlatform;
beforeEach(async () => {
  platform = await startTestPlatform({ local: access('log/access.log') });
});
afterEach(() => platform.stop());

/** Activates the same configuration, or another one. */
const swap = async (local?: ConfigObject): Promise<void> => {
  const old = platform.application;
  if (local !== undefined) configure(platform.root, local);
  await platform.host.reload();
  expect(platform.application).not.toBe(old);
  await old.dispose();
};
const paths = (file: string): readonly string[] =>
  readFileSync(path.join(platform.root, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { path: string }).path);

describe('across a swap', () => {
  it('a Digest client continues with its nonce and an increasing count', async () => {
    const client = new DigestClient();
    const visits = `${platform.origin}/v2/atlas/visits`;
    for (let turn = 0; turn < 5; turn++) {
      // The client responds to one challenge only: with another key or lost counts, it would be rejected.
      expect((await client.fetch(visits)).status).toBe(200);
      await swap();
    }
  });

  it('an earlier count of a nonce is rejected', async () => {
    const client = new DigestClient();
    const visits = `${platform.origin}/v2/atlas/visits`;
    await client.fetch(visits);
    const authorization = client.authorization(visits);
    expect((await fetch(visits, { headers: { authorization } })).status).toBe(200);
    await swap();
    expect((await fetch(visits, { headers: { authorization } })).status).toBe(401);
  });

  it('failed sign-ins are still counted', async () => {
    const ask = async (password: string): Promise<number> =>
      (await platform.request('/v1/atlas/visits', { headers: { authorization: basic('guide', password) } }))
        .status;
    const throttled: ConfigObject = {
      ...access('log/access.log'),
      'platform-mvc-auth': {
        ...(sampleAuthentication['platform-mvc-auth'] as ConfigObject),
        throttling: { failures: 2 },
      },
    };
    await swap(throttled);
    expect([await ask('wrong'), await ask('wronger'), await ask('wrongest')]).toEqual([401, 401, 429]);
    await swap();
    expect(await ask('explore')).toBe(429);
  });

  it('the visits of the sample are kept', async () => {
    const client = new DigestClient();
    const visits = `${platform.origin}/v2/atlas/visits`;
    const added = await client.fetch(visits, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{ "country_code": "DE", "visited_on": null, "note": "Harz" }',
    });
    expect(added.status).toBe(201);
    await swap();
    expect(await (await client.fetch(visits)).text()).toContain('Harz');
  });

  it('the access log continues in its file, or in the newly configured one', async () => {
    await platform.request('/before');
    await swap();
    await platform.request('/behind');
    expect(paths('log/access.log')).toEqual(['/before', '/behind']);
    await swap(access('log/other.log'));
    await platform.request('/elsewhere');
    expect(paths('log/other.log')).toEqual(['/elsewhere']);
    await swap({ 'platform-operations': { access_log: { enabled: false } } });
    await platform.request('/unseen');
    expect([paths('log/access.log').length, paths('log/other.log').length]).toEqual([2, 1]);
  });

  it('the access log releases a file that was moved away', async () => {
    await platform.request('/before');
    const file = path.join(platform.root, 'log/access.log');
    renameSync(file, `${file}.1`);
    await swap();
    await platform.request('/behind');
    expect([paths('log/access.log.1'), paths('log/access.log')]).toEqual([['/before'], ['/behind']]);
  });

  it('an access log that cannot be written rejects the change', async () => {
    configure(platform.root, access('log/access.log/other.log'));
    await expect(platform.host.reload()).rejects.toThrow(/^The access log cannot be written/);
    await platform.request('/still');
    expect(paths('log/access.log')).toEqual(['/still']);
  });
});
