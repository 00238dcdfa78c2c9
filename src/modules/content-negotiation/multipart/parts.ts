import type { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import { problem, type Problem } from '../../../framework';

/** A part of a multipart body: its fields, names in lower case, and its content, which has to be read to its end. */
export interface Part {
  readonly fields: ReadonlyMap<string, string>;
  readonly content: Readable;
}

/** Bytes that the fields of one part may have. */
const MAX_HEADER_BYTES = 8_192;

/** More than is allowed, so that what is over can be told from what fits. */
const dicerLimits = { maxHeaderSize: 2 * MAX_HEADER_BYTES, maxHeaderPairs: 100 };

/**
 * Takes a multipart body (RFC 2046, 5.1) apart while it comes. Parts that are small come several at once; nothing is
 * read on while the content of a part is not taken.
 *
 * @param take reads a part's content to its end; what it rejects with ends everything
 * @throws Problem 400 for what is no multipart body, and whatever `take` or the chunks throw
 */
export async function readParts(
  chunks: AsyncIterable<Buffer>,
  boundary: string,
  take: (part: Part) => Promise<void>,
): Promise<void> {
  const reading = new MultipartReader(boundary, take);
  try {
    for await (const chunk of chunks) await reading.write(chunk);
    await reading.end();
  } catch (error) {
    await reading.abandon(error);
    throw error;
  }
}

class MultipartReader {
  readonly #dicer: Dicer;
  readonly #take: (part: Part) => Promise<void>;
  readonly #taking: Promise<void>[] = [];
  readonly #open = new Set<Readable>();
  /** Kept when the last boundary was read and all parts were taken; broken by what fails first. */
  readonly #end = new Deferred();
  #isOver = false;
  /** What taking a part failed with: perhaps after the end was read. */
  #failure: { readonly error: unknown } | undefined;
  /** Whether the latest part had a head, as each must. */
  #headed = true;

  constructor(boundary: string, take: (part: Part) => Promise<void>) {
    this.#take = take;
    this.#dicer = new Dicer({ boundary, ...dicerLimits });
    this.#dicer.on('part', (part) => this.#begin(part));
    this.#dicer.on('error', (error) =>
      this.#end.reject(malformed('it ended before its last boundary.', error)),
    );
    this.#dicer.once('finish', () => {
      this.#isOver = true;
      this.#end.resolve();
    });
  }

  /** One chunk after the other: what the parser throws while it works comes out here, and nowhere else. */
  async write(chunk: Buffer): Promise<void> {
    // What follows the last boundary means nothing (RFC 2046, 5.1.1).
    if (this.#isOver) return;
    const written = new Promise<void>((resolve, reject) => {
      try {
        this.#dicer.write(chunk, (error) => (error ? reject(error) : resolve()));
      } catch (error) {
        // The parser keeps fields in a plain object, and stumbles over names like "constructor".
        reject(malformed('the head of a part cannot be read.', error));
      }
    });
    // The chunk with the last boundary may never be said to be written.
    await Promise.race([written, this.#end.promise]);
  }

  async end(): Promise<void> {
    if (!this.#headed) throw headless();
    this.#dicer.end();
    await this.#end.promise;
    await Promise.all(this.#taking);
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Ends what is still taken. */
  async abandon(error: unknown): Promise<void> {
    this.#end.reject(error);
    for (const content of this.#open) content.destroy(error instanceof Error ? error : undefined);
    await Promise.all(this.#taking);
  }

  #begin(content: Readable): void {
    if (!this.#headed) this.#end.reject(headless());
    this.#headed = false;
    content.on('error', (error) => this.#end.reject(malformed('a part ended early.', error)));
    content.once('header', (head: Readonly<Record<string, readonly string[]>>) => {
      this.#headed = true;
      this.#taking.push(this.#takeOne(head, content));
    });
  }

  async #takeOne(head: Readonly<Record<string, readonly string[]>>, content: Readable): Promise<void> {
    this.#open.add(content);
    try {
      await this.#take({ fields: fieldsOf(head), content });
    } catch (error) {
      this.#failure ??= { error };
      this.#end.reject(error);
      // What nobody takes would hold up everything behind it.
      content.resume();
    } finally {
      this.#open.delete(content);
    }
  }
}

/** A promise that is kept or broken from outside; what it is broken with need not be looked at. */
class Deferred {
  readonly promise: Promise<void>;
  resolve: () => void = () => undefined;
  reject: (error: unknown) => void = () => undefined;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.promise.catch(() => undefined);
  }
}

function fieldsOf(head: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> {
  const entries = Object.entries(head);
  const size = entries.reduce(
    (sum, [name, values]) => sum + values.reduce((total, value) => total + name.length + value.length + 4, 0),
    0,
  );
  if (size > MAX_HEADER_BYTES) throw malformed(`the head of a part has more than ${MAX_HEADER_BYTES} bytes.`);
  return new Map(entries.map(([name, [value = '']]) => [name, fromOctets(value)]));
}

/** Names in fields are UTF-8 (RFC 7578, 5.1.1); the parser hands them over octet by octet. */
function fromOctets(octets: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(octets, 'latin1'));
  } catch (error) {
    throw malformed('the head of a part is not UTF-8.', error);
  }
}

function headless(): Problem {
  return malformed('a part has no fields that say what it is.');
}

export function malformed(reason: string, cause?: unknown): Problem {
  return problem('bad_body', { reason: `the form is not well-formed: ${reason}` }, { cause });
}
