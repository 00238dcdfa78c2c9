import {
  appendFileSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';

/** What changes when a file is written. */
export interface FileVersion {
  readonly mtimeMs: number;
  readonly size: number;
}

/** A module as it is kept. */
export interface KeptModule {
  readonly file: string;
  readonly version: FileVersion;
  /** As it was compiled. */
  readonly source: string;
  /** The cached data of its script. */
  readonly code: Uint8Array;
}

/** The version of a file, and where its source and, after it, its code are in the data. */
type Entry = readonly [
  mtimeMs: number,
  size: number,
  offset: number,
  sourceLength: number,
  codeLength: number,
  checksum: number,
];

/** Of the checksum and the length of the index, which precede it. */
const HEADER = 8;

/** A damaged length must not allocate more. */
const MAX_INDEX_BYTES = 1_000_000;

/** Modules are kept in the order of their first load: what follows one in the file is needed soon. */
const BLOCK_BYTES = 512 * 1024;

/** A part of the file. */
interface Block {
  readonly position: number;
  readonly bytes: Buffer;
}

const EMPTY: Block = { position: 0, bytes: Buffer.alloc(0) };

/** V8 copies code that is not aligned. */
const aligned = (offset: number): number => (offset + 7) & ~7;

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
  /** What was read last. */
  #block = EMPTY;

  constructor(file: string | undefined) {
    this.#file = file;
    if (file === undefined) return;
    try {
      if (isPrivate(path.dirname(file))) this.#open(file);
    } catch {
      // There is none yet, or it cannot be read.
    }
  }

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

  /** Replaces the file by one with these modules too. */
  add(modules: readonly KeptModule[]): void {
    if (this.#file === undefined || !this.prepare()) return;
    const temporary = `${this.#file}.${process.pid}`;
    const added = new Set(modules.map(({ file }) => file));
    try {
      const kept = [...this.#modules()].filter(({ file }) => !added.has(file));
      const [index, data] = contentOf([...kept, ...modules]);
      writeFileSync(temporary, index, { mode: 0o600 });
      appendFileSync(temporary, data);
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
    this.#block = EMPTY;
  }

  /** The modules whose files have not changed since. */
  *#modules(): Iterable<KeptModule> {
    for (const file of Object.keys(this.#index)) {
      const version = statSync(file, { throwIfNoEntry: false });
      const found = version === undefined ? undefined : this.find(file, version);
      if (version !== undefined && found !== undefined) yield { file, version, ...found };
    }
  }

  #open(file: string): void {
    this.#descriptor = openSync(file, 'r');
    const head = this.#read(0, HEADER);
    const length = head?.readUInt32LE(4) ?? 0;
    const names = length > MAX_INDEX_BYTES ? undefined : this.#read(HEADER, length);
    if (names === undefined || head?.readUInt32LE(0) !== crc32(names)) return;
    const index: unknown = JSON.parse(names.toString());
    if (typeof index === 'object' && index !== null) this.#index = index as Record<string, Entry>;
    this.#start = aligned(HEADER + length);
  }

  /** Returns undefined for bytes that the file does not have. */
  #read(position: number, length: number): Buffer | undefined {
    const start = position - this.#block.position;
    if (start >= 0 && start + length <= this.#block.bytes.length)
      return this.#block.bytes.subarray(start, start + length);
    if (this.#descriptor === undefined) return undefined;
    // Aligned, and not filled before.
    const bytes = Buffer.allocUnsafeSlow(Math.max(length, BLOCK_BYTES));
    try {
      const found = readSync(this.#descriptor, bytes, { position });
      this.#block = { position, bytes: bytes.subarray(0, found) };
      return found < length ? undefined : bytes.subarray(0, length);
    } catch {
      return undefined;
    }
  }
}

function createIfMissing(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
}

function removeIfExists(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Its folder does not exist.
  }
}

/** Whether only this user can have written the files of a folder: their code is executed. */
function isPrivate(folder: string): boolean {
  if (process.getuid === undefined) return true;
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o022) === 0;
}

/** The content of a file with these modules, in two parts: the index and, aligned, the data. */
function contentOf(modules: readonly KeptModule[]): readonly [Buffer, Buffer] {
  const lengths = modules.map(({ source }) => Buffer.byteLength(source));
  const size = modules.reduce(
    (sum, { code }, at) => sum + aligned(aligned(lengths[at] ?? 0) + code.length),
    0,
  );
  // Written in place: several megabytes are copied once.
  const data = Buffer.alloc(size);
  const index: Record<string, Entry> = {};
  let start = 0;
  for (const [at, { file, version, source, code }] of modules.entries()) {
    const sourceLength = lengths[at] ?? 0;
    const end = start + aligned(sourceLength) + code.length;
    data.write(source, start);
    data.set(code, end - code.length);
    const { mtimeMs, size } = version;
    index[file] = [mtimeMs, size, start, sourceLength, code.length, crc32(data.subarray(start, end))];
    start = aligned(end);
  }
  const names = Buffer.from(JSON.stringify(index));
  const head = Buffer.alloc(aligned(HEADER + names.length));
  head.writeUInt32LE(crc32(names), 0);
  head.writeUInt32LE(names.length, 4);
  head.set(names, HEADER);
  return [head, data];
}
