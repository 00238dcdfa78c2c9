import { chmod } from 'node:fs/promises';
import { CLI, run } from '../../factories/processes/processes';
import { startApache, type ApacheHttpd } from './apache-httpd';
import { REALM, USER, type Challenge } from '../challenges';
import { curl } from '../command-line/curl';
import { withPrograms } from '../../factories/processes/programs';

const { describe } = withPrograms('apache2', 'curl');

const { username, password } = USER;

describe('Apache httpd with our password files', () => {
  let apache: ApacheHttpd;
  beforeAll(async () => (apache = await startApache()), 20_000);
  afterAll(() => apache.stop());

  /** Runs one of our commands; its file is private until Apache's user may read it. */
  async function platform(command: 'htpasswd' | 'htdigest', ...args: readonly string[]): Promise<void> {
    const ended = await run(process.execPath, [CLI, command, ...args], `${password}\n`);
    expect(ended).toMatchObject({ code: 0 });
    await chmod(apache[command], 0o644);
  }

  async function signIn(
    challenge: Challenge,
    tried: string,
    as: string = username,
  ): Promise<number | undefined> {
    const url = `${apache.origin}/${challenge === 'Basic' ? 'basic' : 'digest'}/secret`;
    const requests = [{ method: 'GET', url }] as const;
    const [answer] = await curl({ username: as, password: tried, challenge, requests });
    return answer?.status;
  }

  it('accepts our bcrypt lines for Basic', async () => {
    await platform('htpasswd', '-c', '-C', '5', apache.htpasswd, username);
    expect(await signIn('Basic', password)).toBe(200);
    expect(await signIn('Basic', 'open')).toBe(401);
  });

  it('accepts our lines for Digest', async () => {
    await platform('htdigest', '-c', apache.htdigest, REALM, username);
    expect(await signIn('MD5', password)).toBe(200);
    expect(await signIn('MD5', 'open')).toBe(401);
  });

  it('continues to accept MD5 after a line for SHA-256 was added', async () => {
    await platform('htdigest', '-c', '--force', apache.htdigest, REALM, username);
    await platform('htdigest', '-a', 'SHA-256', apache.htdigest, REALM, username);
    expect(await signIn('MD5', password)).toBe(200);
  });

  it('continues to accept MD5 when its line is added to a user who has one for SHA-256', async () => {
    await platform('htdigest', '-c', '--force', '-a', 'SHA-256', apache.htdigest, REALM, username);
    await platform('htdigest', '-a', 'MD5', apache.htdigest, REALM, username);
    expect(await signIn('MD5', password)).toBe(200);
    await platform('htdigest', apache.htdigest, REALM, username);
    await platform('htdigest', apache.htdigest, REALM, 'other');
    expect(await signIn('MD5', password, 'other')).toBe(200);
  });

  it('rejects deleted users', async () => {
    await platform('htdigest', '-c', '--force', apache.htdigest, REALM, username);
    await platform('htdigest', apache.htdigest, REALM, 'other');
    await platform('htdigest', '-D', apache.htdigest, REALM, username);
    expect(await signIn('MD5', password)).toBe(401);
    expect(await signIn('MD5', password, 'other')).toBe(200);
  });
});
