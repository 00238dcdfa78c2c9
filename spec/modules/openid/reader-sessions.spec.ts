import { randomBytes } from 'node:crypto';
import { Deployment, DeploymentKeys, MemoryState, type Request } from '../../../src/framework';
import { FlowCookie } from '../../../src/modules/openid/flow/flow-cookie';
import { ReaderSessions } from '../../../src/modules/openid/readers/reader-sessions';

const LIMITS = { idle: 600, absolute: 3_600 };
const VERA = { name: 'vera', subject: 's', groups: ['staff'], scopes: ['openid'] };

const requestWith = (line: string | undefined): Request =>
  ({ header: () => line?.split(';', 1)[0] }) as unknown as Request;

let now = 0;
const node = (secret: Buffer, owner = 'issuer'): ReaderSessions => {
  const deployment = new Deployment(undefined, new DeploymentKeys([secret]));
  return new ReaderSessions(deployment, '/platform', owner, LIMITS, () => now);
};

describe('The session of a reader', () => {
  const secret = randomBytes(32);

  it('is known to every node of the deployment, and to no other', () => {
    const cookie = node(secret).start(VERA, true);
    expect(node(secret).find(requestWith(cookie), true)?.identity).toMatchObject({
      name: 'vera',
      groups: ['staff'],
      scopes: ['openid'],
    });
    expect(node(randomBytes(32)).find(requestWith(cookie), true)).toBeUndefined();
    expect(node(secret, 'another issuer').find(requestWith(cookie), true)).toBeUndefined();
  });

  it('is protected from scripts and other sites, and contains nothing readable', () => {
    const cookie = node(secret).start(VERA, true) ?? '';
    expect(cookie).toMatch(/; Path=\/platform; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/);
    expect(Buffer.from(cookie.slice('platform_reader='.length), 'base64url').toString()).not.toContain(
      'vera',
    );
  });

  it('ends after the idle timeout, which requests reset, and after its lifetime', () => {
    now = 0;
    const sessions = node(secret);
    let cookie = sessions.start(VERA, true);
    now = 59_000;
    expect(sessions.find(requestWith(cookie), true)?.renewal).toBeUndefined();
    const old = cookie;
    for (now = 500_000; now < 3_600_000; now += 500_000) {
      const found = sessions.find(requestWith(cookie), true);
      expect(found?.identity.name).toBe('vera');
      cookie = found?.renewal ?? cookie;
    }
    expect(sessions.find(requestWith(old), true)).toBeUndefined();
    now = 3_600_000;
    expect(sessions.find(requestWith(cookie), true)).toBeUndefined();
  });

  it('is found next to cookies that other hosts of the domain have set, unless one of them is a session', () => {
    now = 0;
    const sessions = node(secret);
    const [own, other] = [sessions.start(VERA, true), sessions.start(VERA, true)].map(
      (cookie = '') => cookie.split(';', 1)[0] ?? '',
    );
    const found = (...cookies: readonly (string | undefined)[]) =>
      sessions.find({ header: () => cookies.join('; ') } as unknown as Request, true)?.identity.name;
    expect(found('platform_reader=x', own, 'platform_reader=y')).toBe('vera');
    expect(found(own, own)).toBe('vera');
    expect([found(own, other), found('platform_reader=x')]).toEqual([undefined, undefined]);
  });

  it('is found next to one that has expired, which another host of the domain can set again', () => {
    now = 0;
    const sessions = node(secret);
    const nameOf = (cookie = ''): string => cookie.split(';', 1)[0] ?? '';
    const expired = nameOf(sessions.start(VERA, true));
    now = LIMITS.idle * 1_000;
    const own = nameOf(sessions.start(VERA, true));
    for (const cookies of [
      [expired, own],
      [own, expired],
    ])
      expect(
        sessions.find({ header: () => cookies.join('; ') } as unknown as Request, true)?.identity.name,
      ).toBe('vera');
  });

  it('does not start if its groups do not fit into a cookie', () => {
    const groups = Array.from({ length: 200 }, (_, at) => `a rather long group ${at}`);
    expect(node(secret).start({ ...VERA, groups }, true)).toBeUndefined();
  });
});

describe('A sign-in that has begun', () => {
  const flow = { state: 's', nonce: 'n', verifier: 'v', redirectUri: 'https://a.example/c', target: '/x' };

  const secret = randomBytes(32);
  const open = (): FlowCookie =>
    new FlowCookie(
      new Deployment(new MemoryState(), new DeploymentKeys([secret])),
      '/platform/sign-in',
      'issuer',
      () => now,
    );

  it('can be completed by another node within 10 minutes', () => {
    now = 0;
    const cookie = open().set(flow, false);
    now = 599_000;
    expect(open().read(requestWith(cookie))).toMatchObject(flow);
    now = 600_000;
    expect(open().read(requestWith(cookie))).toBeUndefined();
  });

  it('can be completed next to one that has expired, which another host of the domain can set again', () => {
    now = 0;
    const [expired] = open().set(flow, false).split(';', 1);
    now = 600_000;
    const [own] = open()
      .set({ ...flow, state: 'own' }, false)
      .split(';', 1);
    const request = { header: () => `${expired}; ${own}` } as unknown as Request;
    expect(open().read(request)).toMatchObject({ state: 'own' });
  });
});
