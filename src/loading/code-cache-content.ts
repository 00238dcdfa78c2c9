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
export type Entry = readonly [
  mtimeMs: number,
  size: number,
  offset: number,
  sourceLength: number,
  codeLength: number,
  checksum: number,
];

/** Of the checksum and the length of the index, which precede it. */
export const HEADER = 8;

/** V8 copies code that is not aligned. */
export const aligned = (offset: number): number => (offset + 7) & ~7;

/** The content of a file of compiled code. */
export class Content {
  readonly #index: Record<string, Entry> = {};
  readonly #data: Buffer[] = [];
  #size = 0;

  /** Copies a module. */
  add({ file, version: { mtimeMs, size }, source, code }: KeptModule): void {
    const sourceLength = Buffer.byteLength(source);
    const length = aligned(sourceLength) + code.length;
    const data = Buffer.alloc(aligned(length));
    data.write(source);
    data.set(code, aligned(sourceLength));
    const checksum = crc32(data.subarray(0, length));
    this.#index[file] = [mtimeMs, size, this.#size, sourceLength, code.length, checksum];
    this.#data.push(data);
    this.#size += data.length;
  }

  /** The index and, aligned, the data. */
  parts(): readonly Buffer[] {
    const names = Buffer.from(JSON.stringify(this.#index));
    const head = Buffer.alloc(aligned(HEADER + names.length));
    head.writeUInt32LE(crc32(names), 0);
    head.writeUInt32LE(names.length, 4);
    head.set(names, HEADER);
    return [head, ...this.#data];
  }
}
