import type { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import type { Problem } from '../../../framework';
import { malformed } from './malformed';
import { headerTooLong, MAX_HEADER_BYTES } from './part-header';
import { checkBoundaries } from './boundaries';

/**
 * A part of a multipart body: its header fields, names in lower case, and its content, which must be read to the end.
 */
export interface Part {
  readonly fields: ReadonlyMap<string, string>;
  readonly content: Readable;
}

/** The header fields of one part, at most. */
const MAX_HEADER_FIELDS = 100;

/** Above the limits of our own, so that we report a part that exceeds them: the parser ignores what follows. */
const dicerLimits = { maxHeaderSize: 2 * MAX_HEADER_BYTES, maxHeaderPairs: MAX_HEADER_FIELDS + 1 };

/**
 * Parses a multipart body (RFC 2046, 5.1) as it arrives. Several small parts can be in progress at once; a part whose
 * content is not consumed pauses the body.
 *
 * @param consume reads the content of a part to its end; a rejection aborts the whole body
 * @throws Problem 400 for a malformed body, and whatever `consume` or the chunks throw
 */
export async function readParts(
  chunks: AsyncIterable<Buffer>,
  boundary: string,
  consume: (part: Part) => Promise<void>,
): Promise<void> {
  const reader = new MultipartReader(boundary, consume);
  try {
    for await (const chunk of checkBoundaries(chunks, boundary)) await reader.write(chunk);
    await reader.end();
  } catch (error) {
    await reader.abort(error);
    throw error;
  }
}

class MultipartReader {
  readonly #dicer: Dicer;
  readonly #consume: (part: Part) => Promise<void>;
  readonly #inProgress: Promise<void>[] = [];
  readonly #open = new Set<Readable>();
  /** Whether the last boundary was read. */
  #isFinished = false;
  /** The first error; that of `consume` may occur after the end was read. */
  #failure: { readonly error: unknown } | undefined;
  /** Ends the wait for the current chunk, or for the last boundary. */
  #wake: () => void = () => undefined;
  /** Whether the latest part had a header, which is required. */
  #hasHeader = true;

  constructor(boundary: string, consume: (part: Part) => Promise<void>) {
    this.#consume = consume;
    this.#dicer = new Dicer({ boundary, ...dicerLimits });
    this.#dicer.on('part', (part) => this.#begin(part));
    this.#dicer.on('error', (error) => this.#refuse(malformed('it ended before its last boundary.', error)));
    this.#dicer.once('finish', () => {
      this.#isFinished = true;
      this.#wake();
    });
  }

  /** Writes one chunk at a time, so that errors of the parser surface here only. */
  async write(chunk: Buffer): Promise<void> {
    this.#assertNotFailed();
    // The epilogue is ignored (RFC 2046, 5.1.1).
    if (this.#isFinished) return;
    // The parser may not call back for the chunk with the last boundary. A promise that all chunks race with would
    // keep something for each of them.
    await new Promise<void>((resolve, reject) => {
      this.#wake = resolve;
      try {
        this.#dicer.write(chunk, (error) => (error ? reject(error) : resolve()));
      } catch (error) {
        // The parser keeps fields in a plain object, and throws for names such as "constructor".
        reject(malformed('the header of a part cannot be parsed.', error));
      }
    });
    this.#assertNotFailed();
  }

  async end(): Promise<void> {
    if (!this.#hasHeader) throw missingHeader();
    this.#dicer.end();
    if (!this.#isFinished && this.#failure === undefined)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#assertNotFailed();
    await Promise.all(this.#inProgress);
    this.#assertNotFailed();
  }

  /** Destroys the parts in progress. */
  async abort(error: unknown): Promise<void> {
    this.#fail(error);
    for (const content of this.#open) content.destroy(error instanceof Error ? error : undefined);
    await Promise.all(this.#inProgress);
  }

  #begin(content: Readable): void {
    if (!this.#hasHeader) this.#refuse(missingHeader());
    this.#hasHeader = false;
    content.on('error', (error) => this.#refuse(malformed('a part is incomplete.', error)));
    content.once('header', (head: Readonly<Record<string, readonly string[]>>) => {
      this.#hasHeader = true;
      this.#inProgress.push(this.#consumePart(head, content));
    });
  }

  async #consumePart(head: Readonly<Record<string, readonly string[]>>, content: Readable): Promise<void> {
    this.#open.add(content);
    try {
      await this.#consume({ fields: fieldsOf(head), content });
    } catch (error) {
      this.#fail(error);
      // Unread content would block the rest of the body.
      content.resume();
    } finally {
      this.#open.delete(content);
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  /** Fails, unless all parts were read. */
  #refuse(error: unknown): void {
    if (!this.#isFinished) this.#fail(error);
  }

  #assertNotFailed(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}

function fieldsOf(head: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> {
  const entries = Object.entries(head);
  if (entries.reduce((count, [, values]) => count + values.length, 0) > MAX_HEADER_FIELDS)
    throw malformed(`the header of a part has more than ${MAX_HEADER_FIELDS} fields.`);
  const size = entries.reduce(
    (sum, [name, values]) => sum + values.reduce((total, value) => total + name.length + value.length + 4, 0),
    0,
  );
  if (size > MAX_HEADER_BYTES) throw headerTooLong();
  return new Map(entries.map(([name, [value = '']]) => [name, fromOctets(value)]));
}

/** Names are UTF-8 (RFC 7578, 5.1.1), but the parser decodes header fields as Latin-1. */
function fromOctets(octets: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(octets, 'latin1'));
  } catch (error) {
    throw malformed('the header of a part is not UTF-8.', error);
  }
}

function missingHeader(): Problem {
  return malformed('a part has no header fields.');
}
