import type { Steps } from '../values/steps';

/** Parts that are encoded on their own: 8 MiB of a text whose parts have 65,536 characters. */
const MAX_BLOCKS = 128;

/** Addresses reserved for a text (128 MiB), which take no memory until they are used. */
const MAX_BYTES = 134_217_728;

/** Bytes by which the used part of the memory grows. */
const GROWTH_BYTES = 1_048_576;

/** Bytes copied per step: the first access to the memory of a large buffer takes longer than copying. */
const STEP_BYTES = 65_536;

/** Bytes (UTF-8) of a UTF-16 code unit. */
const MAX_UNIT_BYTES = 3;

/** Whether resizable memory is used: `Request` and `Response` of earlier versions refuse bytes from it. */
const GROWS_IN_PLACE = Number.parseInt(process.versions.node, 10) >= 24;

/** An `ArrayBuffer` of ES2024, as far as it is used. */
interface ResizableMemory extends ArrayBuffer {
  readonly maxByteLength: number;
  resize(length: number): void;
}

const Memory = ArrayBuffer as unknown as new (
  length: number,
  options: { readonly maxByteLength: number },
) => ResizableMemory;

/**
 * Encodes a text (UTF-8) part by part. A large one grows in place: concatenated buffers take its length twice, for which
 * V8 collects the garbage of the whole heap.
 */
export class LargeText {
  /** Parts that are not in `#memory`. */
  #blocks: Buffer[] = [];
  #memory: ResizableMemory | undefined;
  /** Bytes in `#memory`. */
  #length = 0;
  readonly #maxBytes: number;

  /** @param maxBytes of longer texts, and if the system reserves no such memory, parts are concatenated */
  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  *append(part: string): Steps<void> {
    const end = this.#length + part.length * MAX_UNIT_BYTES;
    // What follows a part that had no room has none either.
    if (this.#memory !== undefined && this.#blocks.length === 0 && end <= this.#maxBytes) {
      this.#length += freeBytes(this.#memory, this.#length, end).write(part);
      return;
    }
    this.#blocks.push(Buffer.from(part));
    if (GROWS_IN_PLACE && this.#memory === undefined && this.#blocks.length === MAX_BLOCKS)
      yield* this.#useMemory();
  }

  /** Returns all bytes. Called once, after the last part. */
  *end(): Steps<Buffer> {
    const blocks = this.#blocks;
    if (this.#memory !== undefined) {
      this.#memory.resize(this.#length);
      blocks.unshift(Buffer.from(this.#memory));
    }
    const [first] = blocks;
    if (first !== undefined && blocks.length === 1) return first;
    const all = Buffer.allocUnsafe(lengthOf(blocks));
    let at = 0;
    for (const block of blocks) {
      for (let from = 0; from < block.length; from += STEP_BYTES) {
        at += block.copy(all, at, from, from + STEP_BYTES);
        yield;
      }
    }
    return all;
  }

  *#useMemory(): Steps<void> {
    const memory = lengthOf(this.#blocks) <= this.#maxBytes ? reserved(this.#maxBytes) : undefined;
    if (memory === undefined) return;
    for (const block of this.#blocks) {
      this.#length += block.copy(freeBytes(memory, this.#length, this.#length + block.length));
      yield;
    }
    this.#memory = memory;
    this.#blocks = [];
  }
}

/** Returns undefined if the system has no such range of addresses, as with `ulimit -v`. */
function reserved(maxByteLength: number): ResizableMemory | undefined {
  try {
    return new Memory(0, { maxByteLength });
  } catch {
    return undefined;
  }
}

/** Returns the bytes from `start` on, at least to `end`. */
function freeBytes(memory: ResizableMemory, start: number, end: number): Buffer {
  if (end > memory.byteLength)
    memory.resize(Math.max(end, Math.min(memory.byteLength + GROWTH_BYTES, memory.maxByteLength)));
  return Buffer.from(memory, start);
}

function lengthOf(blocks: readonly Buffer[]): number {
  return blocks.reduce((sum, { length }) => sum + length, 0);
}
