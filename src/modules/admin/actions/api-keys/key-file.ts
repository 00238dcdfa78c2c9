import path from 'node:path';
import { Deployment, problem, readFileIfExists, withFileErrors } from '../../../../framework';
import {
  changePasswordFile,
  flushKeyUses,
  Guards,
  listKeys,
  readLastUses,
  withSharedUses,
  type AuthenticationAdapter,
  type LastUses,
  type StoredKey,
} from '../../../mvc-auth';
import type { Actor } from '../../changes/change';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { publication } from '../../changes/file-change';
import { withEditProblems } from '../password-files/edit-problems';
import { filesNamed } from '../password-files/password-file-kind';

/** The kind of adapters whose keys are managed. */
const KIND = 'ApiKeyAdapter';

/** The most names that a problem lists. */
const MAX_NAMES = 20;

/** Returns the uses of key files by adapters. */
export function keyFileUses({ configuration }: ConfigurationChanges): ReturnType<typeof filesNamed> {
  return filesNamed(configuration, KIND, 'keys');
}

/** @throws Problem 404 for an unknown key */
export function findKey(keys: readonly StoredKey[], id: string): StoredKey {
  const found = keys.find((key) => key.id === id);
  if (found !== undefined) return found;
  const names = keys.slice(-MAX_NAMES).map((key) => key.id);
  throw problem('name_not_found', { kind: 'key', name: id, names });
}

/** A file with the keys of adapters. Its methods throw Problems. */
export class KeyFile {
  /** As configured. */
  readonly file: string;
  readonly #changes: ConfigurationChanges;

  constructor(file: string, changes: ConfigurationChanges) {
    this.file = file;
    this.#changes = changes;
  }

  keys(): Promise<readonly StoredKey[]> {
    return withEditProblems(async () =>
      listKeys(this.file, await withFileErrors(this.file, () => readFileIfExists(this.#absolute(this.file)))),
    );
  }

  /** Returns when the keys were used last, on this node and the others. */
  async lastUses(keys: readonly StoredKey[]): Promise<LastUses> {
    for (const adapter of await this.#running()) await flushKeyUses(adapter);
    const own = await readLastUses(this.#absolute(this.file));
    const documents = this.#changes.running.sharedState.find(Deployment)?.store?.documents;
    if (documents === undefined) return own;
    const ids = keys.map(({ id }) => id);
    return await withSharedUses(documents, ids, own);
  }

  /** Edits the file. The change applies when the result is there: the running adapters read the file again. */
  edit(summary: string, actor: Actor, edit: (bytes: Buffer | undefined) => Buffer): Promise<void> {
    const { file } = this;
    const absolute = this.#absolute(file);
    const { publisher } = this.#changes;
    return withEditProblems(async () => {
      await changePasswordFile(absolute, edit, publication(absolute, { actor, summary, publisher }));
      for (const adapter of await this.#running()) await adapter.refresh?.();
      this.#changes.running.observers.notify('changed', { actor, summary, file });
    });
  }

  /** The running adapters of the file. */
  async #running(): Promise<readonly AuthenticationAdapter[]> {
    const guards = await this.#changes.running.services.get(Guards);
    const absolute = this.#absolute(this.file);
    const own = keyFileUses(this.#changes).filter((use) => this.#absolute(use.path) === absolute);
    return own.flatMap(({ adapter }) => guards.adapter(adapter)?.adapter ?? []);
  }

  #absolute(file: string): string {
    return path.resolve(this.#changes.configuration.root, file);
  }
}
