import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openApiKeyAdapter } from '../../../../src/modules/mvc-auth/api-keys/api-key-adapter';
import type { AuthenticationAdapter } from '../../../../src/modules/mvc-auth/adapters/adapter';
import { addKey, newKey } from '../../../../src/modules/mvc-auth/api-keys/edit-keys';
import type { AuthenticationRequest } from '../../../../src/modules/mvc-auth/http/authentication';
import { growthOf } from '../../../factories/measure/cpu-time';

const FILE = 'keys.json';
const first = newKey({ owner: 'first' });
const before = addKey(FILE, undefined, first.stored);

const withKey = (value: string): AuthenticationRequest =>
  ({ credential: { value } }) as unknown as AuthenticationRequest;

describe('A key that was created just before', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'new-keys-'));
  afterAll(() => rmSync(root, { recursive: true }));
  const write = (bytes: Buffer): void => {
    writeFileSync(path.join(root, 'next'), bytes);
    renameSync(path.join(root, 'next'), path.join(root, FILE));
  };

  it('is accepted with its first request, before the watch of the file has noticed it', async () => {
    write(before);
    const adapter = await openApiKeyAdapter('keys', { keys: FILE }, { root, warn: () => undefined });
    try {
      const created = newKey({ owner: 'second' });
      write(addKey(FILE, before, created.stored));
      // No other code runs in between.
      expect(await adapter.authenticate(withKey(created.key))).toMatchObject({ username: 'second' });
    } finally {
      await adapter.dispose();
    }
  });

  it('is looked for only from time to time, so that unknown keys cost no access to the file', async () => {
    write(before);
    const adapter = await openApiKeyAdapter('keys', { keys: FILE }, { root, warn: () => undefined });
    try {
      const unknown = withKey(newKey({ owner: 'x' }).key);
      const results = Array.from({ length: 100 }, () => adapter.authenticate(unknown));
      expect(results.filter((result) => result instanceof Promise).length).toBe(1);
      for (const result of results) expect(await result).toMatchObject({ outcome: 'refused' });
    } finally {
      await adapter.dispose();
    }
  });

  it('is refused in the same time, however much of it is the beginning of a known key', async () => {
    write(before);
    const adapter = await openApiKeyAdapter('keys', { keys: FILE }, { root, warn: () => undefined });
    try {
      const { key } = first;
      const almost = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
      const requests = [newKey({ owner: 'x' }).key, almost, key].map(withKey);
      // Batches hide the access to the file that is due now and then.
      const costTo = (other: number): number =>
        growthOf(
          (which) => {
            for (let run = 0; run < 1_000; run++) void adapter.authenticate(requests[which] ?? withKey(''));
          },
          0,
          other,
        );
      const ratios = [costTo(1), costTo(2)];
      expect(ratios.filter((ratio) => !(ratio > 0.4 && ratio < 2.5))).toEqual([]);
    } finally {
      await adapter.dispose();
    }
  });
});

describe('A key that expires', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'expiring-keys-'));
  afterAll(() => rmSync(root, { recursive: true }));
  const END = Date.UTC(2030, 0, 2);
  const expiring = newKey({ owner: 'ci', expires: new Date(END) });
  const [one, two] = [newKey({ owner: 'shop' }), newKey({ owner: 'shop' })];
  let now: number;
  let adapter: AuthenticationAdapter;
  beforeAll(async () => {
    const keys = [expiring, one, two].reduce<Buffer | undefined>(
      (bytes, { stored }) => addKey(FILE, bytes, stored),
      undefined,
    );
    writeFileSync(path.join(root, FILE), keys ?? '');
    adapter = await openApiKeyAdapter(
      'keys',
      { keys: FILE },
      { root, warn: () => undefined, clock: () => now },
    );
  });
  afterAll(() => adapter.dispose());

  it('is refused from the millisecond in which it does', () => {
    now = END - 1;
    expect(adapter.authenticate(withKey(expiring.key))).toMatchObject({ outcome: 'authenticated' });
    now = END;
    expect(adapter.authenticate(withKey(expiring.key))).toMatchObject({ outcome: 'refused', stale: true });
  });

  it('is found by its beginning, and by its owner who has no other one, until then', () => {
    now = END - 1;
    for (const name of [expiring.stored.id, 'ci'])
      expect(adapter.lookUp?.(name)).toMatchObject({ username: 'ci' });
    now = END;
    for (const name of [expiring.stored.id, 'ci']) expect(adapter.lookUp?.(name)).toBeUndefined();
    expect(adapter.lookUp?.('shop')).toBeUndefined();
    expect(adapter.lookUp?.(one.stored.id)).toMatchObject({ username: 'shop' });
  });
});
