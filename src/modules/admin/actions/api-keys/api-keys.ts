import { createHash } from 'node:crypto';
import path from 'node:path';
import {
  Deployment,
  problem,
  readFileIfExists,
  withFileErrors,
  type Configuration,
} from '../../../../framework';
import {
  addKey,
  Guards,
  changePasswordFile,
  flushKeyUses,
  listKeys,
  newKey,
  parseExpiry,
  readLastUses,
  withSharedUses,
  type AuthenticationAdapter,
  type LastUses,
  removeKey,
  type CreatedKey,
  type KeyRateLimit,
  type StoredKey,
} from '../../../mvc-auth';
import { AuditLog } from '../../audit/audit-log';
import type { Actor } from '../../changes/change';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { auditedChange, publication, type FileChange } from '../../changes/file-change';
import { withEditProblems } from '../password-files/edit-problems';
import { allowedFile } from '../password-files/password-file-folders';
import { filesNamed } from '../password-files/password-file-kind';
import { withPathProblems } from '../password-files/resolve-password-file';

/** The kind of adapters whose keys are managed. */
const KIND = 'ApiKeyAdapter';

/** The most names that a problem lists. */
const MAX_NAMES = 20;

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
    return filesNamed(this.#configuration, KIND, 'keys').map(({ adapter, path: file }) => ({
      adapter,
      file,
    }));
  }

  /** The keys of an adapter, newest first. */
  async list(adapter: string): Promise<readonly ListedKey[]> {
    const { file } = await this.#find(adapter);
    const keys = await this.#read(file);
    const uses = await this.#lastUses(file, keys);
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
    const { file } = await this.#find(adapter);
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
      apply: () => this.#edit(file, summary, actor, (bytes) => addKey(file, bytes, stored)),
    }).apply();
    return created;
  }

  /** Removes a key. */
  async revoke(adapter: string, id: string, actor: Actor): Promise<FileChange> {
    const { file } = await this.#find(adapter);
    const found = await this.#key(file, id);
    const summary = 'Revoked an API key.';
    return this.#audited(file, found, summary, actor, {
      file,
      review: async () => {
        const key = await this.#key(file, id);
        return { difference: [{ path: id, before: describe(key) }], warnings: [], tag: tagOf(key) };
      },
      apply: (expect) =>
        this.#edit(file, summary, actor, (bytes = Buffer.alloc(0)) => {
          const key = listKeys(file, bytes).find((one) => one.id === id);
          if (key === undefined) throw keyNotFound(id, []);
          if (expect !== undefined && tagOf(key) !== expect) throw problem('changed_meanwhile', { what: id });
          return removeKey(file, bytes, id);
        }),
    });
  }

  /** Of this node, and of the others. */
  async #lastUses(file: string, keys: readonly StoredKey[]): Promise<LastUses> {
    for (const adapter of await this.#running(file)) await flushKeyUses(adapter);
    const own = await readLastUses(this.#absolute(file));
    const documents = this.#changes.running.sharedState.find(Deployment)?.store?.documents;
    if (documents === undefined) return own;
    return await withSharedUses(
      documents,
      keys.map(({ id }) => id),
      own,
    );
  }

  async #key(file: string, id: string): Promise<StoredKey> {
    const keys = await this.#read(file);
    const found = keys.find((key) => key.id === id);
    if (found === undefined)
      throw keyNotFound(
        id,
        keys.slice(-MAX_NAMES).map((key) => key.id),
      );
    return found;
  }

  #edit(
    file: string,
    summary: string,
    actor: Actor,
    edit: (bytes: Buffer | undefined) => Buffer,
  ): Promise<void> {
    const absolute = this.#absolute(file);
    const { publisher } = this.#changes;
    return withEditProblems(async () => {
      await changePasswordFile(absolute, edit, publication(absolute, { actor, summary, publisher }));
      await this.#refresh(file);
      this.#changes.running.observers.notify('changed', { actor, summary, file });
    });
  }

  /** Lets the running adapters of a file read it, so that the change applies when the response arrives. */
  async #refresh(file: string): Promise<void> {
    for (const adapter of await this.#running(file)) await adapter.refresh?.();
  }

  /** The running adapters of a file. */
  async #running(file: string): Promise<readonly AuthenticationAdapter[]> {
    const guards = await this.#changes.running.services.get(Guards);
    const own = this.adapters().filter((one) => this.#absolute(one.file) === this.#absolute(file));
    return own.flatMap(({ adapter }) => guards.adapter(adapter)?.adapter ?? []);
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

  #read(file: string): Promise<readonly StoredKey[]> {
    const absolute = this.#absolute(file);
    return withEditProblems(async () =>
      listKeys(file, await withFileErrors(file, () => readFileIfExists(absolute))),
    );
  }

  /** Like password files, key files outside of the project are neither shown nor changed. */
  async #find(adapter: string): Promise<KeyAdapter> {
    const all = this.adapters();
    const found = all.find((one) => one.adapter === adapter);
    if (found !== undefined) {
      const uses = filesNamed(this.#configuration, KIND, 'keys');
      await withPathProblems(found.file, () => allowedFile(this.#configuration, found.file, uses));
      return found;
    }
    throw problem('name_not_found', {
      kind: 'adapter of API keys',
      name: adapter,
      names: all.map((one) => one.adapter),
    });
  }

  #absolute(file: string): string {
    return path.resolve(this.#configuration.root, file);
  }

  get #configuration(): Configuration {
    return this.#changes.configuration;
  }
}

function keyNotFound(id: string, names: readonly string[]): Error {
  return problem('name_not_found', { kind: 'key', name: id, names });
}

function describe({ owner, scopes, groups }: StoredKey): string {
  return [owner, ...scopes.map((scope) => `scope:${scope}`), ...groups.map((group) => `@${group}`)].join(
    ', ',
  );
}

function tagOf(key: StoredKey): string {
  return createHash('sha256').update(JSON.stringify(key)).digest('hex');
}
