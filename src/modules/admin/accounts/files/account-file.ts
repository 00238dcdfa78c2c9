import { createHash } from 'node:crypto';
import path from 'node:path';
import { makeFolder, problem, systemErrorCode, type SharedConfiguration } from '../../../../framework';
import { changePasswordFile, PasswordEditError } from '../../../mvc-auth';
import type { Actor } from '../../changes/change';
import { MASK, type DifferenceLine } from '../../changes/comparison/difference';
import { publication, type FileChange } from '../../changes/file-change';
import {
  AccountFileError,
  readAccounts,
  writeAccounts,
  type AccountDetails,
  type AccountTable,
} from './account-details';
import { ReloadedFile } from './reloaded-file';

/**
 * Returns the new details of an administrator; undefined removes them.
 * @param details as they are; undefined for none
 * @param names of all administrators
 * @throws PasswordEditError
 */
export type DetailsEdit = (
  details: AccountDetails | undefined,
  accounts: AccountTable,
  names: readonly string[],
) => AccountDetails | undefined;

/** The files that existed in this process: one that is lost afterwards gives nobody more permissions. */
const existing = new Set<string>();

/** The roles and second factors of administrators, in their file. Every call reloads it if it has changed. */
export class AccountFile {
  readonly #file: ReloadedFile<AccountTable | undefined>;
  readonly #publisher: Pick<SharedConfiguration, 'publish'> | undefined;

  /** @param file absolute */
  constructor(file: string, publisher: Pick<SharedConfiguration, 'publish'> | undefined) {
    this.#file = new ReloadedFile(file, readAccounts);
    this.#publisher = publisher;
  }

  /**
   * @returns undefined if the file does not exist
   * @throws Problem 503 if the file is invalid, cannot be read or was lost: nobody gets a role that they may not have
   */
  async read(): Promise<AccountTable | undefined> {
    try {
      const accounts = await this.#file.read();
      if (accounts !== undefined) existing.add(this.#file.path);
      else if (existing.has(this.#file.path))
        throw new AccountFileError('does not exist any more. Restore it, or restart the service without it.');
      return accounts;
    } catch (error) {
      // For the log: its message is the end of a sentence.
      const cause =
        error instanceof AccountFileError
          ? new AccountFileError(`${this.#file.path} ${error.message}`, { cause: error.cause })
          : error;
      throw problem('accounts_unreadable', {}, { cause, logOnce: 'accounts_unreadable' });
    }
  }

  /** Returns the startup warnings about the file. @param names of the administrators */
  async warnings(names: readonly string[]): Promise<readonly string[]> {
    try {
      const accounts = await this.#file.read();
      if (accounts === undefined) return withoutFile(this.#file.path, names);
      const unknown = [...accounts.keys()].filter((name) => !names.includes(name));
      return unknown.length === 0
        ? []
        : [
            `${this.#file.path} names ${unknown.join(', ')}, who is not an administrator. Check the spelling.`,
          ];
    } catch (error) {
      const effect = 'Nobody can sign in to the admin until it is repaired.';
      const reason =
        error instanceof AccountFileError ? error.message : `cannot be read (${systemErrorCode(error)}).`;
      return [`${this.#file.path} ${reason} ${effect}`];
    }
  }

  /**
   * Prepares a change of the details of one administrator.
   * @param names all administrators: a new file gives each of them the role that they had without it
   */
  change(
    name: string,
    author: { readonly summary: string; readonly actor: Actor | undefined },
    { names, edit }: { readonly names: () => Promise<readonly string[]>; readonly edit: DetailsEdit },
  ): FileChange {
    const { path: file } = this.#file;
    return {
      file,
      review: async () => {
        const all = await names();
        const accounts = (await this.read()) ?? allFull(all);
        const before = accounts.get(name);
        const after = edit(before, accounts, all);
        return { difference: difference(name, before, after), warnings: [], tag: tagOf(before) };
      },
      apply: async (expect) => {
        const all = await names();
        await this.read();
        await makeFolder(path.dirname(file), 0o700).catch(() => undefined);
        const write = (bytes: Buffer | undefined): Buffer => {
          const accounts = tableIn(file, bytes) ?? allFull(all);
          const before = accounts.get(name);
          if (expect !== undefined && tagOf(before) !== expect)
            throw problem('changed_meanwhile', { what: name });
          return Buffer.from(writeAccounts(accounts, name, edit(before, accounts, all)));
        };
        await changePasswordFile(file, write, publication(file, { ...author, publisher: this.#publisher }));
        this.#file.forget();
      },
    };
  }
}

/** The roles without a file. */
function allFull(names: readonly string[]): AccountTable {
  return new Map(names.map((name) => [name, { role: 'administrator' }]));
}

function withoutFile(file: string, names: readonly string[]): readonly string[] {
  return names.length < 2
    ? []
    : [
        `${file} does not exist: all ${names.length} administrators have full permissions. Set a role to create it.`,
      ];
}

/** @throws PasswordEditError for content that an edit would lose */
function tableIn(file: string, bytes: Buffer | undefined): AccountTable | undefined {
  try {
    return readAccounts(bytes?.toString('utf8'));
  } catch (error) {
    if (!(error instanceof AccountFileError)) throw error;
    throw new PasswordEditError(`${file} ${error.message} Repair it first.`, { cause: error });
  }
}

/** Hashed, since a page contains it. */
function tagOf(details: AccountDetails | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify(details ?? null))
    .digest('hex');
}

/** The secrets are masked. */
function difference(
  name: string,
  before: AccountDetails | undefined,
  after: AccountDetails | undefined,
): readonly DifferenceLine[] {
  const [old, now] = [textsOf(before), textsOf(after)];
  return (['role', 'second factor'] as const).flatMap((kind) => {
    if (old[kind] === now[kind] && (kind === 'role' || old.secret === now.secret)) return [];
    return [
      {
        path: `${name}: ${kind}`,
        ...(old[kind] === undefined ? {} : { before: old[kind] }),
        ...(now[kind] === undefined ? {} : { after: now[kind] }),
      },
    ];
  });
}

function textsOf(details: AccountDetails | undefined): {
  readonly role: string | undefined;
  readonly 'second factor': string | undefined;
  readonly secret: string | undefined;
} {
  const factor = details?.second_factor;
  return {
    role: details?.role,
    'second factor': factor && `${MASK} (${factor.recovery_codes.length} recovery codes)`,
    secret: factor?.secret,
  };
}
