import { Deployment, DeploymentUnavailable, MemoryState } from '../../../../../src/framework';
import { parseCredentials } from '../../../../../src/modules/mvc-auth/http/credentials';
import type { DigestSource } from '../../../../../src/modules/mvc-auth/http/credential-source';
import { digestAnswer } from '../../../../../src/modules/mvc-auth/http/digest/digest-answer';
import { digestOf, digestSecret } from '../../../../../src/modules/mvc-auth/http/digest/digest-algorithm';
import { DigestScheme } from '../../../../../src/modules/mvc-auth/http/digest/digest-scheme';

const USER = { username: 'Mufasa', password: 'Circle of Life' };
const REQUEST = { method: 'GET', target: '/', address: '192.0.2.1' };

/** Users in a database: every lookup is asynchronous. */
class DatabaseSource implements DigestSource {
  readonly algorithms = ['SHA-256'] as const;
  readonly lookups: string[] = [];

  secretOf(username: string): Promise<string | undefined> {
    this.lookups.push(username);
    const secret = digestSecret('SHA-256', USER.username, 'api', USER.password);
    return new Promise((resolve) => setImmediate(resolve, username === USER.username ? secret : undefined));
  }
}

/** State that is out of reach: no nonce is known any more. */
class UnreachableState extends MemoryState {
  override generation = 'before';
  isReachable = true;

  assertAvailable(): void {
    if (!this.isReachable) throw new DeploymentUnavailable('out of reach');
  }
}

describe('Digest with an asynchronous credential source', () => {
  let users: DatabaseSource;
  let scheme: DigestScheme;
  let state: UnreachableState;
  beforeEach(() => {
    users = new DatabaseSource();
    state = new UnreachableState();
    scheme = new DigestScheme({
      adapter: 'db',
      realm: 'api',
      domain: '',
      qop: ['auth', 'auth-int'],
      nonceTimeout: 60,
      deployment: new Deployment(state),
      clock: Date.now,
      users,
    });
  });

  async function signIn(user: typeof USER, alter = (field: string) => field): Promise<unknown> {
    const [challenge = ''] = scheme.challenges(false);
    const field = alter(digestAnswer(challenge, user, REQUEST, 1)?.field ?? '');
    const credentials = parseCredentials(field);
    return credentials && scheme.attempt(credentials, { ...REQUEST, authorization: [field] })?.verify();
  }

  it('accepts the correct password, once for each nonce count', async () => {
    expect(await signIn(USER)).toMatchObject({ outcome: 'authenticated', username: 'Mufasa' });
    expect(await signIn({ ...USER, password: 'wrong' })).toEqual({ outcome: 'refused', stale: false });
  });

  it('looks unknown users up as well, and rejects them', async () => {
    expect(await signIn({ ...USER, username: 'nobody' })).toEqual({ outcome: 'refused', stale: false });
    expect(users.lookups).toEqual(['nobody']);
  });

  it('is unavailable while no nonce is accepted: a stale one would be replaced again and again (RFC 7616, 3.3)', async () => {
    const afterwards = (isReachable: boolean) => (field: string) => {
      state.generation += ' and after';
      state.isReachable = isReachable;
      return field;
    };
    expect(await signIn(USER, afterwards(true))).toEqual({ outcome: 'refused', stale: true });
    await expect(signIn(USER, afterwards(false))).rejects.toThrow(DeploymentUnavailable);
    // Who does not know the password learns nothing about the state.
    const wrong = { ...USER, password: 'wrong' };
    expect(await signIn(wrong, afterwards(false))).toEqual({ outcome: 'refused', stale: false });
  });

  it('offers no userhash without an index of hashes, and rejects one', async () => {
    expect(scheme.challenges(false).join()).not.toContain('userhash');
    const userhash = digestOf('SHA-256', 'Mufasa:api', 'utf8');
    const hashed = (field: string): string =>
      `${field.replace('username="Mufasa"', `username="${userhash}"`)}, userhash=true`;
    expect(await signIn(USER, hashed)).toEqual({ outcome: 'refused', stale: false });
  });
});
