import { closeSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import {
  aligned,
  Content,
  HEADER,
  type Entry,
  type FileVersion,
  type KeptModule,
} from './code-cache-content';
import { createIfMissing, isPrivate, removeIfExists, removeLeftovers, write } from './code-cache-folder';

/** A damaged length must not allocate more. */
const MAX_INDEX_BYTES = 1_000_000;

/**
 * Modules are kept in the order of their first load: what follows one in the file is needed soon. One block of memory is
 * read into again and again: it stays in the cache of the processor, and the system does not have to clear new pages.
 */
const BLOCK_BYTES = 128 * 1024;

/** A part of the file. */
interface Block {
  readonly position: number;
  readonly bytes: Buffer;
}

const NO_BYTES = Buffer.alloc(0);
const NOTHING: Block = { position: 0, bytes: NO_BYTES };

/**
 * Sources and compiled code of modules in one file, of which what is needed is read. A module is valid while its own
 * file has the same size and the same time of modification. Errors are ignored: without a cache, modules are compiled.
 */
export class CodeCache {
  readonly #file: string | undefined;
  #descriptor: number | undefined;
  #index: Readonly<Record<string, Entry>> = {};
  /** Where the data begins. */
  #start = 0;
  /** What was read last, in the memory below. */
  #block = NOTHING;
  #memory = NO_BYTES;

  constructor(file: string | undefined) {
    this.#file = file;
    if (file === undefined) return;
    try {
      if (isPrivate(path.dirname(file))) this.#open(file);
    } catch {
      // There is none yet, or it cannot be read.
    }
  }

  /** Returns what is kept of a file. The code is valid until the next call. */
  find(file: string, { mtimeMs, size }: FileVersion): Pick<KeptModule, 'source' | 'code'> | undefined {
    const entry = Object.hasOwn(this.#index, file) ? this.#index[file] : undefined;
    if (entry?.[0] !== mtimeMs || entry[1] !== size) return undefined;
    const [, , offset, sourceLength, codeLength, checksum] = entry;
    const code = aligned(sourceLength);
    const bytes = this.#read(this.#start + offset, code + codeLength);
    // V8 does not recognize damaged code.
    if (bytes === undefined || crc32(bytes) !== checksum) return undefined;
    return { source: bytes.toString('utf8', 0, sourceLength), code: bytes.subarray(code) };
  }

  /** Creates the folder of the file. Returns whether modules can be added. */
  prepare(): boolean {
    if (this.#file === undefined) return false;
    const folder = path.dirname(this.#file);
    try {
      // One after the other: with `recursive`, Node 20 never returns for folders of some file systems, such as /proc.
      createIfMissing(path.dirname(folder));
      createIfMissing(folder);
      return isPrivate(folder);
    } catch {
      return false;
    }
  }

  /**
   * Replaces the file by one with these modules too, in steps.
   * @param order the files of a start with these, in the order of their first load; others follow
   */
  *add(
    modules: readonly KeptModule[],
    order: readonly string[] = modules.map(({ file }) => file),
  ): Generator<void, void, void> {
    if (this.#file === undefined || !this.prepare()) return;
    // Containers that share the folder may have the same process id.
    const temporary = `${this.#file}.${process.pid}-${Math.random().toString(36).slice(2)}`;
    try {
      removeLeftovers(this.#file);
      const added = new Map(modules.map((module) => [module.file, module]));
      const content = new Content();
      for (const file of new Set([...order, ...Object.keys(this.#index)])) {
        const module = added.get(file) ?? this.#current(file);
        if (module !== undefined) content.add(module);
        yield;
      }
      yield* write(temporary, content.parts());
      renameSync(temporary, this.#file);
    } catch {
      removeIfExists(temporary);
    }
  }

  /** Closes the file. */
  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    this.#index = {};
    this.#block = NOTHING;
    this.#memory = NO_BYTES;
  }

  /** What is kept of a file that has not changed since. */
  #current(file: string): KeptModule | undefined {
    const version = statSync(file, { throwIfNoEntry: false });
    const found = version && this.find(file, version);
    return version && found && { file, version, ...found };
  }

  #open(file: string): void {
    this.#descriptor = openSync(file, 'r');
    const head = this.#read(0, HEADER);
    if (head === undefined) return;
    const [checksum, length] = [head.readUInt32LE(0), head.readUInt32LE(4)];
    const names = length > MAX_INDEX_BYTES ? undefined : this.#read(HEADER, length);
    if (names === undefined || checksum !== crc32(names)) return;
    const index: unknown = JSON.parse(names.toString());
    if (typeof index === 'object' && index !== null) this.#index = index as Record<string, Entry>;
    this.#start = aligned(HEADER + length);
  }

  /** Returns bytes that are valid until the next call; undefined for those that the file does not have. */
  #read(position: number, length: number): Buffer | undefined {
    const start = position - this.#block.position;
    if (start >= 0 && start + length <= this.#block.bytes.length)
      return this.#block.bytes.subarray(start, start + length);
    if (this.#descriptor === undefined) return undefined;
    const wanted = Math.max(length, BLOCK_BYTES);
    // Aligned, and not filled before.
    if (this.#memory.length < wanted) this.#memory = Buffer.allocUnsafeSlow(wanted);
    this.#block = NOTHING;
    try {
      const found = readSync(this.#descriptor, this.#memory, { position, length: wanted });
      this.#block = { position, bytes: this.#memory.subarray(0, found) };
      return found < length ? undefined : this.#memory.subarray(0, length);
    } catch {
      return undefined;
    }
  }
}
