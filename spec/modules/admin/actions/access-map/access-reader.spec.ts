import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ConfigObject } from '../../../../../src/framework';
import { openAdminServices } from '../../../../../src/modules/admin/services';
import type { Access, AccessReader } from '../../../../../src/modules/admin/actions/access-map/access-reader';
import { WITH_ADMIN } from '../../../../factories/admin/admin';
import { cpuTimeOf } from '../../../../factories/measure/cpu-time';
import { startTestPlatform, type TestPlatform } from '../../../../factories/platform';
import { setTestTimeout } from '../../../../factories/test-timeout';

setTestTimeout(60);

const SECRET = '0123456789abcdef0123456789abcdef';
const USERS = 'data/staff.htdigest';
const GROUPS = 'data/staff.groups';
const users = (count: number): string =>
  Array.from({ length: count }, (_, at) => `user${at}:Staff:${SECRET}\n`).join('');

let platform: TestPlatform;
let reader: AccessReader;
async function start(count: number, more: ConfigObject = {}): Promise<void> {
  const options = {
    ...more,
    accept_schemes: ['digest'],
    realm: 'Staff',
    htdigest: USERS,
    htgroup: GROUPS,
    nonce_timeout: '3600',
  };
  const adapters = { staff: { adapter: 'HttpAdapter', options } };
  platform = await startTestPlatform({
    modules: WITH_ADMIN,
    local: { 'platform-mvc-auth': { authentication: { adapters, map: { 'Atlas-v1': 'staff' } } } },
    files: { [USERS]: users(count), [GROUPS]: 'editors: user0\n', 'data/administrators.htpasswd': '' },
  });
  reader = openAdminServices(platform.application, platform.host).accessReader;
}
afterEach(() => platform.stop());

const write = (file: string, text: string): void => writeFileSync(path.join(platform.root, file), text);
const sizeOf = ({ state }: Access): number | undefined =>
  state.adapters.find(({ name }) => name === 'staff')?.sources[0]?.users?.size;

describe('The access to APIs', () => {
  beforeEach(() => start(2));

  it('is read once while the application and the files of its adapters stay the same', async () => {
    const first = await reader.read();
    expect(sizeOf(first)).toBe(2);
    expect(await reader.read()).toBe(first);
    const [one, other] = await Promise.all([reader.read(), reader.read()]);
    expect(one).toBe(other);
  });

  it('is read again once a password file has changed, is missing, or is back', async () => {
    await reader.read();
    write(USERS, users(3));
    expect(sizeOf(await reader.read())).toBe(3);
    rmSync(path.join(platform.root, USERS));
    const { gaps } = await reader.read();
    expect(gaps.map(({ name }) => name)).toContain('missing file');
    write(USERS, users(1));
    expect(sizeOf(await reader.read())).toBe(1);
  });

  it('is read again once a group file has changed', async () => {
    await reader.read();
    write(GROUPS, 'editors: user0 user1\n');
    const { state } = await reader.read();
    expect(state.adapters.find(({ name }) => name === 'staff')?.groups?.members?.get('editors')).toBe(2);
  });

  it('is read again for another application', async () => {
    const first = await reader.read();
    await platform.host.reload();
    expect((await reader.read()).state).not.toBe(first.state);
  });
});

describe('A password file of a scheme that its adapter does not accept', () => {
  const KEPT = 'data/former.htpasswd';
  beforeEach(() => start(2, { htpasswd: KEPT }));

  it('is neither missed nor read', async () => {
    expect((await reader.read()).gaps.map(({ name }) => name)).not.toContain('missing file');
    write(KEPT, 'former:$apr1$salt$0123456789abcdefghijkl\n');
    const { state } = await reader.read();
    const { sources = [] } = state.adapters.find(({ name }) => name === 'staff') ?? {};
    expect(sources.map(({ path: file }) => file)).toEqual([USERS]);
  });
});

describe('The access to APIs with 10,000 users', () => {
  beforeEach(() => start(10_000));

  it('takes a fraction of the CPU time of the first view from then on', async () => {
    const first = await cpuTimeOf(() => reader.read());
    const second = await cpuTimeOf(() => reader.read());
    expect(second).toBeLessThan(first / 4);
  });
});
