import fc from 'fast-check';
import { hash } from 'node:crypto';
import { addKey, newKey } from '../../../../src/modules/mvc-auth/api-keys/edit-keys';
import { KeyFileError, readKeyTable } from '../../../../src/modules/mvc-auth/api-keys/key-table';
import { growthOf } from '../../../factories/measure/cpu-time';

const entry = (at: number, more: object = {}): object => ({
  id: `apidesc_${String(at).padStart(8, '0')}`,
  sha256: hash('sha256', String(at)),
  owner: 'ci',
  scopes: ['read'],
  groups: [],
  created: '2026-01-31T12:00:00Z',
  ...more,
});
const read = (...keys: readonly unknown[]): ReturnType<typeof readKeyTable> =>
  readKeyTable(JSON.stringify({ keys }));

describe('a new key', () => {
  it.each([
    [{ groups: ['@staff'] }, 'Write "@staff" as "staff"'],
    [{ scopes: ['scope:read'] }, 'Write "scope:read" as "read"'],
  ])('refuses the notation of rules: %j', (request, reason) => {
    expect(() => newKey({ owner: 'ci', ...request })).toThrow(reason);
  });
});

it('is not added to the public keys of an issuer', () => {
  const { stored } = newKey({ owner: 'ci' });
  const jwks = Buffer.from('{ "keys": [{ "kty": "EC", "crv": "P-256", "x": "x", "y": "y" }] }');
  expect(() => addKey('data/jwks.json', jwks, stored)).toThrow('data/jwks.json is a JWK Set');
});

describe('a key file', () => {
  it('is read by the hashes of its keys', () => {
    const { keys, issues } = read(
      entry(1, { expires: '2027-01-31T12:00:00Z', rate_limit: { limit: 5, window: 60 } }),
      { ...entry(2), scopes: undefined, groups: undefined },
    );
    expect(issues).toEqual([]);
    expect(keys.get(hash('sha256', '1'))).toEqual({
      ...entry(1),
      expires: '2027-01-31T12:00:00Z',
      rate_limit: { limit: 5, window: 60 },
      expiresAt: Date.UTC(2027, 0, 31, 12),
    });
    expect(keys.get(hash('sha256', '2'))).toMatchObject({ scopes: [], groups: [], expiresAt: Infinity });
  });

  it('is read with the least and the most that an entry may have', () => {
    const { keys, issues } = read(
      entry(1, { owner: `${'ü'.repeat(127)}a`, rate_limit: { limit: 1, window: 1 } }),
      entry(2, { owner: 'Zoë', rate_limit: { limit: 999_999_999, window: 9_999_999 } }),
    );
    expect([keys.size, issues]).toEqual([2, []]);
  });

  it.each<[string, unknown, string]>([
    ['a text', 'key', 'is not an object'],
    [
      'a misspelt restriction',
      entry(1, { expire: '2026-01-01T00:00:00Z' }),
      'has the unknown member "expire"',
    ],
    ['a day without a time', entry(1, { expires: '2026-01-01' }), 'has an invalid "expires"'],
    ['an impossible time', entry(1, { expires: '2026-13-01T00:00:00Z' }), 'has an invalid "expires"'],
    ['a plain key in place of its hash', entry(1, { sha256: 'apidesc_x' }), 'has no valid "sha256"'],
    ['text before an ID', entry(1, { id: ' apidesc_00000001' }), 'has no valid "id"'],
    ['text after an ID', entry(1, { id: 'apidesc_00000001\n' }), 'has no valid "id"'],
    ['an ID that is a list', entry(1, { id: ['apidesc_00000001'] }), 'has no valid "id"'],
    ['a hash in upper case', entry(1, { sha256: 'A'.repeat(64) }), 'has no valid "sha256"'],
    ['a hash that is too long', entry(1, { sha256: 'a'.repeat(65) }), 'has no valid "sha256"'],
    ['a hash that is a list', entry(1, { sha256: ['a'.repeat(64)] }), 'has no valid "sha256"'],
    ['an owner that is not a text', entry(1, { owner: ['ci'] }), 'has an "owner" that is not a text'],
    ['a space after an owner', entry(1, { owner: 'ci ' }), 'has an "owner" that has leading or trailing'],
    ['a space before an owner', entry(1, { owner: ' ci' }), 'has an "owner" that has leading or trailing'],
    ['an owner of 256 bytes', entry(1, { owner: 'ü'.repeat(128) }), 'has an "owner" that is longer than 255'],
    ['no owner', entry(1, { owner: '' }), 'has an "owner" that is empty'],
    [
      'a line break in an owner',
      entry(1, { owner: 'a\nb' }),
      'has an "owner" that contains control characters',
    ],
    ['scopes as a text', entry(1, { scopes: 'read' }), 'has "scopes"'],
    ['a scope with a space', entry(1, { scopes: ['read write'] }), 'has "scopes"'],
    ['a scope with a line break', entry(1, { scopes: ['read\n'] }), 'has "scopes"'],
    ['a scope with a quote', entry(1, { scopes: ['"read'] }), 'has "scopes"'],
    ['an empty scope', entry(1, { scopes: ['read', ''] }), 'has "scopes"'],
    ['groups that are not texts', entry(1, { groups: [7] }), 'has "groups"'],
    ['groups as a text', entry(1, { groups: 'staff' }), 'has "groups"'],
    ['an empty group', entry(1, { groups: ['staff', ''] }), 'has "groups"'],
    [
      'text after a time of creation',
      entry(1, { created: '2026-01-31T12:00:00Z ' }),
      'has no valid "created"',
    ],
    [
      'text before a time of creation',
      entry(1, { created: ' 2026-01-31T12:00:00Z' }),
      'has no valid "created"',
    ],
    ['an expiry that is a list', entry(1, { expires: ['2027-01-31T12:00:00Z'] }), 'has an invalid "expires"'],
    ['a rate limit that is null', entry(1, { rate_limit: null }), 'has an invalid "rate_limit"'],
    ['no time of creation', entry(1, { created: undefined }), 'has no valid "created"'],
    [
      'text after an expiry',
      entry(1, { expires: '2027-01-31T12:00:00Z (never)' }),
      'has an invalid "expires"',
    ],
    ['text before an expiry', entry(1, { expires: '(a) 2027-01-31T12:00:00Z' }), 'has an invalid "expires"'],
    ['an expiry that is a number', entry(1, { expires: 1_800_000_000 }), 'has an invalid "expires"'],
    ['a rate limit without a window', entry(1, { rate_limit: { limit: 5 } }), 'has an invalid "rate_limit"'],
    [
      'a fraction of a request',
      entry(1, { rate_limit: { limit: 0.5, window: 60 } }),
      'has an invalid "rate_limit"',
    ],
    [
      'a rate limit as a text',
      entry(1, { rate_limit: { limit: '5', window: 60 } }),
      'has an invalid "rate_limit"',
    ],
    [
      'an unlimited rate limit',
      entry(1, { rate_limit: { limit: 0, window: 60 } }),
      'has an invalid "rate_limit"',
    ],
    [
      'a window that Redis cannot keep',
      entry(1, { rate_limit: { limit: 5, window: Number.MAX_SAFE_INTEGER } }),
      'has an invalid "rate_limit"',
    ],
    [
      'more requests than a limit may have',
      entry(1, { rate_limit: { limit: 1_000_000_000, window: 60 } }),
      'has an invalid "rate_limit"; write { "limit": 100, "window": 60 } with a limit of at most 999999999, ',
    ],
  ])('ignores an entry with %s, and keeps the others', (_, wrong, issue) => {
    const { keys, issues } = read(wrong, entry(2));
    expect([...keys.keys()]).toEqual([hash('sha256', '2')]);
    expect(issues).toEqual([expect.stringContaining(`keys[0] ${issue}`)]);
    expect(issues.join()).not.toContain(hash('sha256', '1'));
  });

  it('is read in a time that grows with the number of keys only, so that 100,000 keys do not delay the start', () => {
    const texts = new Map(
      [1_000, 10_000].map((count) => [
        count,
        JSON.stringify({ keys: Array.from({ length: count }, (_, at) => entry(at)) }),
      ]),
    );
    const growth = growthOf((count) => readKeyTable(texts.get(count) ?? ''), 1_000, 10_000);
    expect(growth).toBeLessThan(30);
  });

  it.each([
    ['the ID', { id: 'apidesc_00000001' }],
    ['the hash', { sha256: hash('sha256', '1') }],
  ])('ignores an entry with %s of an earlier one', (_, repeated) => {
    const { keys, issues } = read(entry(1), entry(2, repeated));
    expect([...keys.values()]).toEqual([expect.objectContaining(entry(1))]);
    expect(issues).toEqual([expect.stringContaining('keys[1] repeats the key')]);
  });

  it('contains each key once', () => {
    const { keys, issues } = read(entry(1), entry(1, { owner: 'mallory' }));
    expect(keys.size).toBe(1);
    expect(keys.get(hash('sha256', '1'))?.owner).toBe('ci');
    expect(issues).toEqual(['keys[1] repeats the key "apidesc_00000001"; it is ignored']);
  });

  it('is refused as a whole if it is something else, and never quoted', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        expect(() => readKeyTable(text)).toThrow(KeyFileError);
      }),
    );
    const damaged = JSON.stringify({ keys: [entry(1)] }).slice(0, -3);
    expect(() => readKeyTable(damaged)).toThrow(
      /^is not JSON \((?:a syntax error|an error at position \d+.*)\)$/,
    );
  });
});
