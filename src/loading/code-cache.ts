import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

/** Where a module is in the data: the versions of its file, then offsets and lengths of its source and its code. */
type Entry = readonly [
  mtimeMs: number,
  size: number,
  source: number,
  sourceLength: number,
  code: number,
  codeLength: number,
];

/** Of the checksum and the length of the index, which precede it. */
const HEADER = 8;

/** V8 copies code that is not aligned. */
const aligned = (offset: number): number => (offset + 7) & ~7;

/**
 * Sources and compiled code of modules in one file, so that a start reads one file instead of a thousand. A module is
 * valid while its own file has the same size and the same time of modification. Errors are ignored: without a cache, modules
 * are compiled.
 */
export class CodeCache {
  readonly #file: string | undefined;
  #index: Readonly<Record<string, Entry>> = {};
  #data: Buffer = Buffer.alloc(0);

  constructor(file: string | undefined) {
    this.#file = file;
    if (file === undefined) return;
    try {
      if (isPrivate(path.dirname(file))) this.#read(readFileSync(file));
    } catch {
      // There is none yet, or it cannot be read.
    }
  }

  find(file: string, { mtimeMs, size }: FileVersion): Pick<KeptModule, 'source' | 'code'> | undefined {
    const entry = Object.hasOwn(this.#index, file) ? this.#index[file] : undefined;
    if (entry?.[0] !== mtimeMs || entry[1] !== size) return undefined;
    const [, , source, sourceLength, code, codeLength] = entry;
    return {
      source: this.#data.toString('utf8', source, source + sourceLength),
      code: this.#data.subarray(code, code + codeLength),
    };
  }

  /**
   * Replaces the file by one with these modules too.
   * @param compile called if the file can be written
   */
  add(compile: () => readonly KeptModule[]): void {
    if (this.#file === undefined) return;
    const folder = path.dirname(this.#file);
    const temporary = `${this.#file}.${process.pid}`;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (!isPrivate(folder)) return;
      const modules = compile();
      const added = new Set(modules.map(({ file }) => file));
      const kept = [...this.#modules()].filter(({ file }) => !added.has(file));
      writeFileSync(temporary, fileOf([...kept, ...modules]), { mode: 0o600 });
      renameSync(temporary, this.#file);
    } catch {
      removeIfExists(temporary);
    }
  }

  /** Releases what was read. */
  close(): void {
    this.#index = {};
    this.#data = Buffer.alloc(0);
  }

  /** The modules whose files have not changed since. */
  *#modules(): Iterable<KeptModule> {
    for (const file of Object.keys(this.#index)) {
      const version = statSync(file, { throwIfNoEntry: false });
      const found = version === undefined ? undefined : this.find(file, version);
      if (version !== undefined && found !== undefined) yield { file, version, ...found };
    }
  }

  #read(bytes: Buffer): void {
    // V8 does not recognize damaged code.
    if (bytes.length < HEADER || bytes.readUInt32LE(0) !== crc32(bytes.subarray(4))) return;
    const end = HEADER + bytes.readUInt32LE(4);
    this.#index = JSON.parse(bytes.toString('utf8', HEADER, end)) as Record<string, Entry>;
    this.#data = bytes.subarray(aligned(end));
  }
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

/** The content of a file with these modules. */
function fileOf(modules: Iterable<KeptModule>): Buffer {
  const index: Record<string, Entry> = {};
  const parts: Uint8Array[] = [];
  let length = 0;
  const append = (part: Uint8Array): number => {
    const offset = length;
    length = aligned(offset + part.length);
    parts.push(part, Buffer.alloc(length - offset - part.length));
    return offset;
  };
  for (const { file, version, source, code } of modules) {
    const text = Buffer.from(source);
    index[file] = [version.mtimeMs, version.size, append(text), text.length, append(code), code.length];
  }
  const names = Buffer.from(JSON.stringify(index));
  const head = Buffer.alloc(aligned(HEADER + names.length));
  head.writeUInt32LE(names.length, 4);
  names.copy(head, HEADER);
  const bytes = Buffer.concat([head, ...parts]);
  bytes.writeUInt32LE(crc32(bytes.subarray(4)), 0);
  return bytes;
}
