import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, watch, type Dirent, type FSWatcher } from 'node:fs';
import path from 'node:path';
import { systemErrorCode } from '../../framework';
import { isWatched, roleOf, type FileRole } from './relevant-files';

/** Receives a file whose content has changed, relative to the root. */
export type OnChange = (file: string, role: FileRole & string) => void;

/**
 * Watches the files of a project. Each folder is watched by itself: the recursive watchers of Node.js lose a file on Linux
 * when an editor replaces it, and would include `node_modules`.
 */
export class ProjectWatcher {
  readonly #root: string;
  readonly #onChange: OnChange;
  readonly #onError: (error: Error) => void;
  readonly #watchers = new Map<string, FSWatcher>();
  /** Hashes of contents: a file that is written again without a change restarts nothing. */
  readonly #contents = new Map<string, string | undefined>();

  constructor(root: string, onChange: OnChange, onError: (error: Error) => void) {
    this.#root = root;
    this.#onChange = onChange;
    this.#onError = onError;
    for (const file of this.#watchTree('')) this.#contents.set(file, this.#hash(file));
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** Watches a folder and those in it, relative to the root. @returns their files that matter */
  #watchTree(folder: string): readonly string[] {
    this.#watch(folder);
    let entries: readonly Dirent[];
    try {
      entries = readdirSync(path.join(this.#root, folder), { withFileTypes: true });
    } catch {
      // Removed meanwhile.
      return [];
    }
    return entries.flatMap((entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return isWatched(file) ? this.#watchTree(file) : [];
      return roleOf(file) === undefined ? [] : [file];
    });
  }

  #watch(folder: string): void {
    try {
      const watcher = watch(path.join(this.#root, folder), (_, name) => {
        if (name !== null) this.#changed(path.join(folder, name));
      });
      this.#watchers.set(folder, watcher);
      watcher.on('error', (error) => this.#failed(folder, error));
    } catch (error) {
      this.#failed(folder, error as Error);
    }
  }

  #failed(folder: string, error: Error): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
    // Removed meanwhile; the watcher of its parent reports a new one.
    if (folder === '' || !['ENOENT', 'EPERM'].includes(systemErrorCode(error))) this.#onError(error);
  }

  #changed(file: string): void {
    const isFolder = statSync(path.join(this.#root, file), { throwIfNoEntry: false })?.isDirectory() === true;
    if (!isFolder && !this.#watchers.has(file)) {
      this.#compare(file);
      return;
    }
    // A folder that is new, was removed, or has taken the place of another one.
    const isBelow = (one: string): boolean => one === file || one.startsWith(file + path.sep);
    for (const [folder, watcher] of this.#watchers) {
      if (!isBelow(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    const now = isFolder && isWatched(file) ? this.#watchTree(file) : [];
    for (const one of new Set([...now, ...[...this.#contents.keys()].filter(isBelow)])) this.#compare(one);
  }

  #compare(file: string): void {
    const role = roleOf(file);
    if (role === undefined) return;
    const hash = this.#hash(file);
    if (hash === this.#contents.get(file)) return;
    this.#contents.set(file, hash);
    this.#onChange(file, role);
  }

  /** Returns undefined for a file that does not exist. */
  #hash(file: string): string | undefined {
    try {
      return createHash('sha1')
        .update(readFileSync(path.join(this.#root, file)))
        .digest('base64');
    } catch {
      return undefined;
    }
  }
}
