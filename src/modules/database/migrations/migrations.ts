import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  ConfigurationError,
  createFile,
  makeFolder,
  pathInside,
  systemErrorCode,
  withFileErrors,
} from '../../../framework';
import type { DatabaseAdapter, ScriptOptions } from '../adapters/database-adapter';
import { ScriptError } from '../adapters/script-error';
import { fileOfFailedCommit } from './failed-commit';
import { turnsForeignKeysOff } from './foreign-keys';
import { describeCommit, describeFailure, MigrationFile, type FileStatement } from './migration-file';
import { migrationText } from './migration-text';
import { createMigrationsTable, recordedMigrations } from './migrations-table';

/** Characters of a title in the name of its file, which file systems limit. */
const MAX_TITLE = 100;

const NAME = /^[A-Za-z0-9][\w.-]*\.sql$/;

/** A migration: an SQL file, applied once. */
export interface Migration {
  readonly name: string;
  readonly state: 'applied' | 'pending' | 'changed' | 'missing';
  /** The applied file that a pending one comes before. */
  readonly before?: string;
}

/** The SQL files of one database, applied in the order of their names. */
export class Migrations {
  readonly #folder: string;
  readonly #adapter: DatabaseAdapter;

  /** @param folder with the files: `migrations/<adapter>` */
  constructor(folder: string, adapter: DatabaseAdapter) {
    this.#folder = folder;
    this.#adapter = adapter;
  }

  async status(): Promise<readonly Migration[]> {
    const [files, applied] = await Promise.all([this.#files(), recordedMigrations(this.#adapter)]);
    const last =
      [...applied.keys()]
        .filter((name) => NAME.test(name))
        .sort()
        .at(-1) ?? '';
    const known = files.map((file): Migration => {
      const { name } = file;
      const recorded = applied.get(name);
      if (recorded === undefined) return { name, state: 'pending', ...(name < last ? { before: last } : {}) };
      return { name, state: file.hasChecksum(recorded) ? 'applied' : 'changed' };
    });
    // Those of modules are not files.
    const missing = [...applied.keys()].filter(
      (name) => NAME.test(name) && files.every((file) => file.name !== name),
    );
    return [...known, ...missing.map((name): Migration => ({ name, state: 'missing' }))].sort((a, b) =>
      a.name < b.name ? -1 : 1,
    );
  }

  /** The names of the applied migrations that are not files: those of modules. */
  async appliedByModules(): Promise<readonly string[]> {
    return [...(await recordedMigrations(this.#adapter)).keys()].filter((name) => !NAME.test(name));
  }

  /**
   * Applies the pending files, all or none, under a lock: of several processes that start it at once, one does.
   * @param isAnyOrder whether files are applied that come before applied ones
   * @returns their names
   * @throws ConfigurationError if an applied file was changed or removed, or a file fails
   */
  async apply(isAnyOrder = false): Promise<readonly string[]> {
    const status = await this.status();
    for (const migration of status) this.#assertApplicable(migration, isAnyOrder);
    const pending = new Set(status.filter(({ state }) => state === 'pending').map(({ name }) => name));
    const files = (await this.#files()).filter(({ name }) => pending.has(name));
    if (files.length === 0) return [];
    const byFile = files.map((file) => file.scripts(this.#adapter.dialect));
    const scripts = byFile.flat();
    const options = {
      areForeignKeysOff: this.#adapter.dialect === 'sqlite' && turnsForeignKeysOff(scripts),
    };
    try {
      await this.#adapter.runScripts([createMigrationsTable, ...scripts.map(({ text }) => text)], options);
    } catch (error) {
      // Another process applied them meanwhile.
      if ((await this.status()).every(({ state }) => state === 'applied')) return [];
      if (!(error instanceof ScriptError)) throw error;
      const failed = scripts[error.script - 1];
      // Constraints that are deferred fail when all files have been executed.
      const isCommit = error.script > scripts.length;
      if (failed === undefined && !isCommit) throw error;
      const description =
        failed === undefined
          ? describeCommit(error, await this.#committed(files, byFile, options))
          : describeFailure(error, failed);
      throw new ConfigurationError(description, { cause: error });
    }
    return files.map(({ name }) => name);
  }

  /** The file that made the commit fail; all if it cannot be found. */
  async #committed(
    files: readonly MigrationFile[],
    scripts: readonly (readonly FileStatement[])[],
    options: ScriptOptions,
  ): Promise<readonly string[]> {
    const shown = files.map(({ name }) => this.#shown(name));
    if (shown.length === 1) return shown;
    const texts = scripts.map((statements) => statements.map(({ text }) => text));
    const at = await fileOfFailedCommit(this.#adapter, [createMigrationsTable], texts, options);
    return at === undefined ? shown : shown.slice(at, at + 1);
  }

  /** @throws ConfigurationError */
  #assertApplicable({ name, state, before }: Migration, isAnyOrder: boolean): void {
    const file = this.#shown(name);
    if (state === 'changed' || state === 'missing') {
      throw new ConfigurationError(
        `${file} was ${state === 'missing' ? 'removed' : 'changed'} after it was applied. Restore it, and write the change as a new migration.`,
      );
    }
    if (before === undefined || isAnyOrder) return;
    throw new ConfigurationError(
      `${file} comes before ${before}, which has been applied: databases would differ by the order of their changes. Rename it to come last, or apply it with --out-of-order.`,
    );
  }

  /** Creates an empty file; its name begins with the time, so that files of several authors are in order. @throws FileError, ConfigurationError if it exists */
  async create(title: string, now = new Date()): Promise<string> {
    const slug = title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .slice(0, MAX_TITLE)
      .replace(/^_|_$/g, '');
    const time = now.toISOString().replace(/\D/g, '').slice(0, 14);
    const file = path.join(this.#folder, `${time}_${slug === '' ? 'migration' : slug}.sql`);
    await withFileErrors(file, async () => {
      await makeFolder(this.#folder);
      try {
        createFile(file, `-- ${title.replace(/\s+/g, ' ')}\n`);
      } catch (error) {
        if (systemErrorCode(error) !== 'EEXIST') throw error;
        throw new ConfigurationError(
          `${this.#shown(path.basename(file))} exists already: choose another title, or retry in a second.`,
        );
      }
    });
    return file;
  }

  /** @throws ConfigurationError for a file whose name cannot be recorded, or that cannot be read */
  async #files(): Promise<readonly MigrationFile[]> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (systemErrorCode(error) === 'ENOENT') return [];
      throw unreadable(this.#shown(), error);
    });
    const scripts = names.filter((name) => name.endsWith('.sql')).sort();
    const invalid = scripts.find((name) => !NAME.test(name));
    if (invalid !== undefined) {
      throw new ConfigurationError(
        `${this.#shown(invalid)}: name migrations with letters, digits, "_", "-" and ".", such as 20260101120000_products.sql.`,
      );
    }
    return Promise.all(
      scripts.map(async (name) => {
        const file = this.#shown(name);
        const bytes = await readFile(path.join(this.#folder, name)).catch((error: unknown) => {
          throw unreadable(file, error);
        });
        return new MigrationFile(file, name, migrationText(bytes, file));
      }),
    );
  }

  /** The path of a file, or of the folder, for messages. */
  #shown(name = ''): string {
    const file = path.join(this.#folder, name);
    return pathInside('.', file) ?? file;
  }
}

/** What makes migrations unreadable, and what to do. */
const UNREADABLE: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder, and migrations are files. Rename or remove it',
  ENOTDIR: 'it, or a part of its path, is a file in place of a folder. Move the file away',
  EACCES: 'the user of this process has no permission. Grant read access',
  ENOENT:
    'it is a link to a file that does not exist, or was removed just now. Restore it or remove the link',
};

function unreadable(shown: string, cause: unknown): ConfigurationError {
  const code = systemErrorCode(cause);
  const reason = UNREADABLE[code] ?? `the system reports ${code}. Make it readable`;
  return new ConfigurationError(`${shown} cannot be read: ${reason}.`, { cause });
}
