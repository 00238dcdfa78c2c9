import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openApiKeyAdapter } from '../../../../src/modules/mvc-auth/api-keys/api-key-adapter';
import { addKey, newKey } from '../../../../src/modules/mvc-auth/api-keys/edit-keys';
import type { AuthenticationRequest } from '../../../../src/modules/mvc-auth/http/authentication';

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
});
