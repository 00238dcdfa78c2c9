import { randomBytes } from 'node:crypto';
import { DeploymentKeys } from '../../../src/framework';

const [old, current] = [randomBytes(32), randomBytes(32)];

describe('the keys of a deployment', () => {
  it('differ by purpose and by secret, and are the same in every process', () => {
    const keys = new DeploymentKeys([current, old]);
    const all = [...keys.derive('one'), ...keys.derive('two')].map((key) => key.toString('hex'));
    expect(new Set(all).size).toBe(4);
    expect(all.every((key) => /^[0-9a-f]{64}$/.test(key))).toBe(true);
    expect(new DeploymentKeys([Buffer.from(current)]).derive('one')[0]).toEqual(keys.derive('one')[0]);
    expect(new DeploymentKeys([old]).derive('one')[0]).toEqual(keys.derive('one')[1]);
  });

  it('are those of HKDF (RFC 5869)', () => {
    // Computed with: openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt key:… -kdfopt info:… HKDF
    const keys = new DeploymentKeys([Buffer.from('0123456789abcdef0123456789abcdef')]);
    expect(keys.derive('digest nonce ')[0].toString('hex')).toBe(
      '321b603c526b181bc33d99f25ccc4892faf7f592ebd52e7aaf58a36753be03be',
    );
  });
});
