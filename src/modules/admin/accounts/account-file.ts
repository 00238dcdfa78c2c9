import { createHash } from 'node:crypto';
import path from 'node:path';
import { makeFolder, problem, systemErrorCode, type SharedConfiguration } from '../../../framework';
import { changePasswordFile, PasswordEditError } from '../../mvc-auth';
import type { Actor } from '../changes/change';
import { MASK, type DifferenceLine } from '../changes/difference';
import { publication, type FileChange } from '../changes/file-change';
import {
  AccountFileError,
  readAccounts,
  writeAccounts,
  type AccountDetails,
  type AccountTable,
} from './account-details';
import { ReloadedFile } from './reloaded-file';

/** Returns the new details of an administrator; undefined removes them. @throws PasswordEditError */
export type DetailsEdit = (details: AccountDetails, table: AccountTable) => AccountDetails | undefined;

/** The roles and second factors of administrators, in their file. Every call reloads it if it has changed. */
export class AccountFile {
  readonly #file: ReloadedFile<AccountTable>;
  readonly #publisher: Pick<SharedConfiguration, 'publish'> | undefined;

  /** @param file absolute */
  constructor(file: string, publisher: Pick<SharedConfiguration, 'publish'> | undefined) {
    this.#file = new ReloadedFile(file, readAccounts);
    this.#publisher = publisher;
  }

  /** @throws Problem 503 if the file is invalid or cannot be read: nobody gets a role that they may not have */
  async read(): Promise<AccountTable> {
    try {
      return await this.#file.read();
    } catch (error) {
      throw problem('accounts_unreadable', {}, { cause: error });
    }
  }

  /** Returns the startup warnings about the file. */
  async warnings(): Promise<readonly string[]> {
    try {
      await this.#file.read();
      return [];
    } catch (error) {
      const effect = 'Nobody can sign in to the admin until it is repaired.';
      const reason =
        error instanceof AccountFileError ? error.message : `cannot be read (${systemErrorCode(error)}).`;
      return [`${this.#file.path} ${reason} ${effect}`];
    }
  }

  /** Prepares a change of the details of one administrator. */
  change(
    name: string,
    author: { readonly summary: string; readonly actor: Actor | undefined },
    editOf: () => Promise<DetailsEdit>,
  ): FileChange {
    const { path: file } = this.#file;
    return {
      file,
      review: async () => {
        const [edit, table] = [await editOf(), await this.read()];
        const before = table.get(name) ?? {};
        const after = edit(before, table) ?? {};
        return { difference: difference(name, before, after), warnings: [], tag: tagOf(before) };
      },
      apply: async (expect) => {
        const edit = await editOf();
        await makeFolder(path.dirname(file), 0o700).catch(() => undefined);
        const write = (bytes: Buffer | undefined): Buffer => {
          const table = tableIn(file, bytes);
          const before = table.get(name) ?? {};
          if (expect !== undefined && tagOf(before) !== expect)
            throw problem('changed_meanwhile', { what: name });
          return Buffer.from(writeAccounts(table, name, edit(before, table)));
        };
        await changePasswordFile(file, write, publication(file, { ...author, publisher: this.#publisher }));
        this.#file.forget();
      },
    };
  }
}

/** @throws PasswordEditError for content that an edit would lose */
function tableIn(file: string, bytes: Buffer | undefined): AccountTable {
  try {
    return readAccounts(bytes?.toString('utf8'));
  } catch (error) {
    if (!(error instanceof AccountFileError)) throw error;
    throw new PasswordEditError(`${file} ${error.message} Repair it first.`, { cause: error });
  }
}

/** Hashed, since a page contains it. */
function tagOf(details: AccountDetails): string {
  return createHash('sha256').update(JSON.stringify(details)).digest('hex');
}

/** The default role is shown as any other, the secrets are not. */
function difference(name: string, before: AccountDetails, after: AccountDetails): readonly DifferenceLine[] {
  const texts = ({ role = 'administrator', second_factor: factor }: AccountDetails) => ({
    role,
    'second factor':
      factor === undefined ? undefined : `${MASK} (${factor.recovery_codes.length} recovery codes)`,
    secret: factor?.secret,
  });
  const [old, now] = [texts(before), texts(after)];
  return (['role', 'second factor'] as const).flatMap((kind) => {
    const isSame = old[kind] === now[kind] && (kind === 'role' || old.secret === now.secret);
    if (isSame) return [];
    return [
      {
        path: `${name}: ${kind}`,
        ...(old[kind] === undefined ? {} : { before: old[kind] }),
        ...(now[kind] === undefined ? {} : { after: now[kind] }),
      },
    ];
  });
}
