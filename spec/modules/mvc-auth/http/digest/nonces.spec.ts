import { randomBytes } from 'node:crypto';
import { Deployment, DeploymentKeys, type IssuedNonce, MemoryState } from '../../../../../src/framework';
import { Nonces } from '../../../../../src/modules/mvc-auth/http/digest/nonces';
import { VerifiedNonces } from '../../../../../src/modules/mvc-auth/http/digest/verified-nonces';

const NOW = 1_800_000_000_000;

/** A state whose generation changes. */
class ChangingState extends MemoryState {
  override generation = 'first';
  readonly counted: IssuedNonce[] = [];

  override counterFor(nonce: IssuedNonce): ReturnType<MemoryState['counterFor']> {
    this.counted.push(nonce);
    return super.counterFor(nonce);
  }
}

const [old, current] = [randomBytes(32), randomBytes(32)];

describe('the nonces of a deployment', () => {
  it('are known to every process with its secret, and to no other', () => {
    const processes = [1, 2].map(() => new Deployment(new MemoryState(), new DeploymentKeys([current])));
    const [first, second] = processes.map((deployment) => new Nonces(deployment));
    const nonce = first?.issue(NOW, 60) ?? '';
    expect(second?.read(nonce)).toEqual({ issuedAt: NOW, expiresAt: NOW + 60_000, generation: '' });
    expect(new Nonces(new Deployment()).read(nonce)).toBeUndefined();
  });

  it('are known with the previous secret, and issued with the current one', () => {
    const of = (...secrets: readonly [Buffer, ...Buffer[]]): Nonces =>
      new Nonces(new Deployment(new MemoryState(), new DeploymentKeys(secrets)));
    const [before, rotated, after] = [of(old), of(current, old), of(current)];
    expect(rotated.read(before.issue(NOW, 60))).toBeDefined();
    expect(after.read(rotated.issue(NOW, 60))).toBeDefined();
    expect(before.read(rotated.issue(NOW, 60))).toBeUndefined();
    expect(after.read(before.issue(NOW, 60))).toBeUndefined();
  });

  it('are no longer known in another generation', () => {
    const state = new ChangingState();
    const nonces = new Nonces(new Deployment(state));
    const nonce = nonces.issue(NOW, 60);
    expect(nonces.read(nonce)).toMatchObject({ generation: 'first' });
    state.generation = 'second';
    expect(nonces.read(nonce)).toBeUndefined();
    expect(nonces.read(nonces.issue(NOW, 60))).toMatchObject({ generation: 'second' });
    state.generation = 'first';
    expect(nonces.read(nonce)).toMatchObject({ generation: 'first' });
  });

  it('are counted in the generation in which they were issued, also from the cache', () => {
    const state = new ChangingState();
    const nonces = new Nonces(new Deployment(state));
    const verified = new VerifiedNonces(nonces, 60);
    const nonce = nonces.issue(NOW, 60);
    const before = verified.read(nonce, NOW);
    state.generation = 'second';
    expect(verified.read(nonce, NOW)).toBe(before);
    expect(state.counted).toEqual([
      { nonce, expiresAt: NOW + 60_000, lifetime: 60_000, generation: 'first' },
    ]);
  });
});
