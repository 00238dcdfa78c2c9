import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ConfigurationError, makeFolder, systemErrorCode } from '../../../framework';
import type { DatabaseAdapter } from '../adapters/database-adapter';
import { checksumOf, createMigrationsTable, recordedMigrations, recordMigration } from './migrations-table';

const NAME = /^[A-Za-z0-9][\w.-]*\.sql$/;

/** A migration: an SQL file, applied once. */
export interface Migration {
  readonly name: string;
  readonly state: 'applied' | 'pending' | 'changed' | 'missing';
}

interface MigrationFile {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
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
    const known = files.map(({ name, checksum }): Migration => {
      const recorded = applied.get(name);
      if (recorded === undefined) return { name, state: 'pending' };
      return { name, state: recorded === checksum ? 'applied' : 'changed' };
    });
    // Those of modules are not files.
    const missing = [...applied.keys()].filter(
      (name) => NAME.test(name) && files.every((file) => file.name !== name),
    );
    return [...known, ...missing.map((name): Migration => ({ name, state: 'missing' }))].sort((a, b) =>
      a.name < b.name ? -1 : 1,
    );
  }

  /**
   * Applies the pending files, all or none, under a lock: of several processes that start it at once, one does.
   * @returns their names
   * @throws ConfigurationError if an applied file was changed or removed
   * @throws DatabaseError for an invalid file
   */
  async apply(): Promise<readonly string[]> {
    const status = await this.status();
    const changed = status.find(({ state }) => state === 'changed' || state === 'missing');
    if (changed !== undefined) {
      throw new ConfigurationError(
        `${path.join(this.#folder, changed.name)} was ${changed.state === 'missing' ? 'removed' : 'changed'} after it was applied. Restore it, and write the change as a new migration.`,
      );
    }
    const pending = new Set(status.filter(({ state }) => state === 'pending').map(({ name }) => name));
    const files = (await this.#files()).filter(({ name }) => pending.has(name));
    if (files.length === 0) return [];
    try {
      await this.#adapter.runScripts([
        createMigrationsTable,
        ...files.flatMap(({ name, text }) => [text, recordMigration(name, text)]),
      ]);
    } catch (error) {
      // Another process applied them meanwhile.
      if ((await this.status()).every(({ state }) => state === 'applied')) return [];
      throw error;
    }
    return files.map(({ name }) => name);
  }

  /** Creates an empty file; its name begins with the time, so that files of several authors are in order. */
  async create(title: string, now = new Date()): Promise<string> {
    const slug = title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_|_$/g, '');
    const time = now.toISOString().replace(/\D/g, '').slice(0, 14);
    const file = path.join(this.#folder, `${time}_${slug === '' ? 'migration' : slug}.sql`);
    await makeFolder(this.#folder);
    await writeFile(file, `-- ${title}\n`, { flag: 'wx' });
    return file;
  }

  /** @throws ConfigurationError for a file whose name cannot be recorded */
  async #files(): Promise<readonly MigrationFile[]> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (systemErrorCode(error) === 'ENOENT') return [];
      throw error;
    });
    const scripts = names.filter((name) => name.endsWith('.sql')).sort();
    const invalid = scripts.find((name) => !NAME.test(name));
    if (invalid !== undefined) {
      throw new ConfigurationError(
        `${path.join(this.#folder, invalid)}: name migrations with letters, digits, "_", "-" and ".", such as 20260101120000_products.sql.`,
      );
    }
    return Promise.all(
      scripts.map(async (name) => {
        const text = await readFile(path.join(this.#folder, name), 'utf8');
        return { name, text, checksum: checksumOf(text) };
      }),
    );
  }
}
