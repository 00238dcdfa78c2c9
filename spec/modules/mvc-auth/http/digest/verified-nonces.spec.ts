import { Deployment } from '../../../../../src/framework';
import { Nonces } from '../../../../../src/modules/mvc-auth/http/digest/nonces';
import { VerifiedNonces } from '../../../../../src/modules/mvc-auth/http/digest/verified-nonces';

const NOW = 1_800_000_000_000;

describe('verified nonces', () => {
  const deployment = new Deployment();
  const nonces = new Nonces(deployment);
  const issue = (from = nonces): string => from.issue(NOW, 60);
  const open = (lifetime = 60, limit?: number): VerifiedNonces => new VerifiedNonces(nonces, lifetime, limit);

  it('return the same result each time, compared exactly', () => {
    const proven = open();
    const nonce = issue();
    const first = proven.read(nonce, NOW);
    expect(first).toMatchObject({ endsAt: NOW + 60_000, renewsAt: NOW + 30_000 });
    for (let time = 0; time < 3; time++) expect(proven.read(nonce, NOW)).toBe(first);
    expect(proven.read(nonce.toUpperCase(), NOW)).toBeUndefined();
    expect(proven.size).toBe(1);
  });

  it('never match those of another key, however often they are used', () => {
    const proven = open();
    const forged = [issue(new Nonces(new Deployment())), `${issue().slice(0, -1)}g`, issue().slice(2), ''];
    const own = issue();
    forged.push(`${own.slice(0, -1)}${own.endsWith('0') ? '1' : '0'}`);
    proven.read(own, NOW);
    for (const nonce of [...forged, ...forged]) expect(proven.read(nonce, NOW)).toBeUndefined();
    expect(proven.size).toBe(1);
  });

  it('expire on time, or sooner when the lifetime was shortened', () => {
    for (const [lifetime, end] of [
      [3600, 60_000],
      [60, 60_000],
      [10, 10_000],
    ] as const) {
      const proven = open(lifetime);
      const nonce = issue();
      expect(proven.read(nonce, NOW + end - 1)).toBeDefined();
      expect(proven.read(nonce, NOW + end)).toBeUndefined();
      expect(proven.size).toBe(0);
      expect(open(lifetime).read(nonce, NOW + end)).toBeUndefined();
    }
  });

  it('are renewed in the middle of their life, also where the lifetime was changed since they were issued', () => {
    for (const [lifetime, renewal] of [
      [3600, 30_000],
      [60, 30_000],
      [10, 5_000],
    ] as const)
      expect(open(lifetime).read(issue(), NOW)?.renewsAt).toBe(NOW + renewal);
  });

  it('keep one counter while they are cached', () => {
    const proven = open();
    const nonce = issue();
    const claim = (): unknown => proven.read(nonce, NOW)?.counter.claim(1);
    expect([claim(), claim()]).toEqual(['accepted', 'used']);
  });

  it('are limited in number, and their counts continue after eviction', () => {
    const proven = open(60, 2);
    const nonces = [issue(), issue(), issue()];
    const claim = (nonce: string): unknown => proven.read(nonce, NOW)?.counter.claim(1);
    expect([...nonces, ...nonces].map(claim)).toEqual([
      ...nonces.map(() => 'accepted'),
      ...nonces.map(() => 'used'),
    ]);
    expect(proven.size).toBe(2);
  });
});
