import { createHash } from 'node:crypto';
import { problem } from '../../../../framework';
import {
  addKey,
  listKeys,
  newKey,
  parseExpiry,
  removeKey,
  type CreatedKey,
  type KeyRateLimit,
  type StoredKey,
} from '../../../mvc-auth';
import { AuditLog } from '../../audit/audit-log';
import type { Actor } from '../../changes/change';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { auditedChange, type FileChange } from '../../changes/file-change';
import { withEditProblems } from '../password-files/edit-problems';
import { allowedFile } from '../password-files/password-file-folders';
import { withPathProblems } from '../password-files/resolve-password-file';
import { findKey, KeyFile, keyFileUses } from './key-file';

/** An adapter of keys. */
export interface KeyAdapter {
  readonly adapter: string;
  /** The key file, as configured. */
  readonly file: string;
}

/** A key for display: no hash, no secret. */
export interface ListedKey extends Omit<StoredKey, 'sha256'> {
  readonly isExpired: boolean;
  /** RFC 3339; undefined if it was not used yet. */
  readonly lastUsed: string | undefined;
}

/** What a key is created with, as forms and the API send it. */
export interface SentKey {
  readonly owner: string;
  readonly scopes?: readonly string[];
  readonly groups?: readonly string[];
  /** A duration such as `30d`, or a day in UTC; empty for never. */
  readonly expires?: string;
  readonly rateLimit?: KeyRateLimit;
}

/**
 * Creates, lists and revokes the keys of `ApiKeyAdapter`s, with the code and rules of `apidesc-platform key`. Created
 * and revoked keys apply at once.
 *
 * Every method throws Problems: 404 for an unknown adapter or key, 422 for an invalid field (`/owner`, `/scopes`,
 * `/groups`, `/expires`) and for a key file outside of the project (`/file`), 507 if the file cannot be written.
 */
export class ApiKeys {
  readonly #changes: ConfigurationChanges;
  readonly #audit: AuditLog;

  constructor(changes: ConfigurationChanges, audit = AuditLog.none()) {
    this.#changes = changes;
    this.#audit = audit;
  }

  /** The adapters that have keys. */
  adapters(): readonly KeyAdapter[] {
    return keyFileUses(this.#changes).map(({ adapter, path: file }) => ({ adapter, file }));
  }

  /** The keys of an adapter, newest first. */
  async list(adapter: string): Promise<readonly ListedKey[]> {
    const file = await this.#find(adapter);
    const keys = await file.keys();
    const uses = await file.lastUses(keys);
    const now = Date.now();
    return keys
      .map(({ sha256: _, ...key }) => {
        const used = uses.get(key.id);
        return {
          ...key,
          isExpired: key.expires !== undefined && Date.parse(key.expires) <= now,
          lastUsed: used === undefined ? undefined : new Date(used).toISOString(),
        };
      })
      .reverse();
  }

  /** Creates a key. It is returned this one time. */
  async create(adapter: string, sent: SentKey, actor: Actor): Promise<CreatedKey> {
    const keyFile = await this.#find(adapter);
    const { file } = keyFile;
    const { owner, scopes = [], groups = [], expires = '', rateLimit } = sent;
    const created = await withEditProblems(() =>
      Promise.resolve().then(() =>
        newKey({
          owner,
          scopes,
          groups,
          rateLimit,
          expires: expires === '' ? undefined : parseExpiry(expires),
        }),
      ),
    );
    const { stored } = created;
    const summary = 'Created an API key.';
    await this.#audited(file, stored, summary, actor, {
      file,
      review: () => Promise.resolve({ difference: [], warnings: [], tag: '' }),
      apply: () => keyFile.edit(summary, actor, (bytes) => addKey(file, bytes, stored)),
    }).apply();
    return created;
  }

  /** Removes a key. */
  async revoke(adapter: string, id: string, actor: Actor): Promise<FileChange> {
    const keyFile = await this.#find(adapter);
    const { file } = keyFile;
    const found = findKey(await keyFile.keys(), id);
    const summary = 'Revoked an API key.';
    return this.#audited(file, found, summary, actor, {
      file,
      review: async () => {
        const key = findKey(await keyFile.keys(), id);
        return { difference: [{ path: id, before: describe(key) }], warnings: [], tag: tagOf(key) };
      },
      apply: (expect) =>
        keyFile.edit(summary, actor, (bytes = Buffer.alloc(0)) => {
          const key = findKey(listKeys(file, bytes), id);
          if (expect !== undefined && tagOf(key) !== expect) throw problem('changed_meanwhile', { what: id });
          return removeKey(file, bytes, id);
        }),
    });
  }

  #audited(
    file: string,
    { id, owner }: StoredKey,
    summary: string,
    actor: Actor,
    change: FileChange,
  ): FileChange {
    const target = `${file}: ${id} (${owner})`;
    return auditedChange(this.#audit, { action: 'api_key_change', actor, target, summary }, change);
  }

  /** Like password files, key files outside of the project are neither shown nor changed. */
  async #find(adapter: string): Promise<KeyFile> {
    const all = this.adapters();
    const found = all.find((one) => one.adapter === adapter);
    if (found !== undefined) {
      const { configuration } = this.#changes;
      await withPathProblems(found.file, () =>
        allowedFile(configuration, found.file, keyFileUses(this.#changes)),
      );
      return new KeyFile(found.file, this.#changes);
    }
    throw problem('name_not_found', {
      kind: 'adapter of API keys',
      name: adapter,
      names: all.map((one) => one.adapter),
    });
  }
}

function describe({ owner, scopes, groups }: StoredKey): string {
  return [owner, ...scopes.map((scope) => `scope:${scope}`), ...groups.map((group) => `@${group}`)].join(
    ', ',
  );
}

function tagOf(key: StoredKey): string {
  return createHash('sha256').update(JSON.stringify(key)).digest('hex');
}
