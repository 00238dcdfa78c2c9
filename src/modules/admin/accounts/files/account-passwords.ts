import path from 'node:path';
import {
  makeFolder,
  systemErrorCode,
  type MaybePromise,
  type SharedConfiguration,
} from '../../../../framework';
import {
  PasswordEditError,
  PasswordTableStore,
  PasswordVerifier,
  readPasswordTable,
  type EditedFile,
  type PasswordHashing,
  type PasswordTable,
} from '../../../mvc-auth';
import type { Actor } from '../../changes/change';
import {
  applyUserEdit,
  basicSecrets,
  joined,
  reviewUserEdit,
  type FileChange,
  type FileReview,
  type UserEdit,
} from '../../changes/file-change';
import { ReloadedFile } from './reloaded-file';

/** Edits the content of the file. @throws PasswordEditError */
export type PasswordEdit = (bytes: Buffer) => EditedFile;

/**
 * The names and passwords of administrators, in their htpasswd file. Every call reloads it if it has changed. A missing file
 * contains no administrators.
 */
export class AccountPasswords {
  /** The verifier for HTTP schemes; {@link table} reloads its data. */
  readonly verifier: PasswordVerifier;
  readonly #file: ReloadedFile<PasswordTable>;
  readonly #store = new PasswordTableStore();
  readonly #publisher: Pick<SharedConfiguration, 'publish'> | undefined;
  readonly #onChange: (name: string) => MaybePromise<void>;

  /**
   * @param file absolute
   * @param options `hashing`: the queue that verifies passwords; `publisher`: gives the file to other nodes; `onChange`:
   *   called when an administrator has another password, or was removed
   */
  constructor(
    file: string,
    {
      hashing,
      publisher,
      onChange,
    }: {
      readonly hashing: PasswordHashing;
      readonly publisher: Pick<SharedConfiguration, 'publish'> | undefined;
      readonly onChange: (name: string) => MaybePromise<void>;
    },
  ) {
    this.#file = new ReloadedFile(file, (text = '') => readPasswordTable(text));
    this.verifier = new PasswordVerifier(this.#store, hashing);
    this.#publisher = publisher;
    this.#onChange = onChange;
  }

  get path(): string {
    return this.#file.path;
  }

  /** Reads the file. @throws the errors of the file system */
  read(): Promise<PasswordTable> {
    return this.#file.read();
  }

  /** Returns the content; if the file cannot be read, the last that is known. */
  async table(): Promise<PasswordTable> {
    const table = await this.#file.read().catch(() => undefined);
    if (table !== undefined && table !== this.#store.table) this.#store.replace(table);
    return this.#store.table;
  }

  /**
   * Prepares a change of one administrator.
   * @param editOf called for each review, and when the change is applied
   * @param first a change of another file that is applied first, if this one permits the edit: nothing else edits it
   *   meanwhile
   */
  change(
    name: string,
    author: { readonly summary: string; readonly actor: Actor | undefined },
    editOf: () => Promise<PasswordEdit>,
    first?: FileChange,
  ): FileChange {
    const file = this.path;
    const userEdit = async (): Promise<UserEdit> => ({
      label: name,
      edit: await editOf(),
      secrets: (bytes) => basicSecrets(bytes, name),
    });
    const review = async (): Promise<FileReview> => reviewUserEdit(file, await userEdit());
    return {
      file,
      review: async () => (first === undefined ? review() : joined([await first.review(), await review()])),
      apply: async (expect, requestId) => {
        const tags = expect?.split(' ');
        await makeFolder(path.dirname(file), 0o700).catch((error: unknown) => {
          throw new PasswordEditError(
            `The folder ${path.dirname(file)} cannot be created (${systemErrorCode(error)}). Create it and grant the service write access.`,
            { cause: error },
          );
        });
        const by = { ...author, publisher: this.#publisher };
        await applyUserEdit(file, await userEdit(), by, tags?.at(-1), () =>
          first?.apply(tags?.[0], requestId),
        );
        this.#file.forget();
        await this.#onChange(name);
      },
    };
  }
}
