import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { atOnce, inTurns, type Steps } from '../events/in-turns';
import { andThen, type MaybePromise } from '../events/maybe-promise';
import type { ContentCoding } from '../http/content-coding';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Bytes from which on compressing is worth its fields (RFC 9110 sets no limit; a packet holds about as much). */
const WORTHWHILE = 860;

/** Bytes from which on the best compression takes seconds. */
const LARGE = 262_144;

/** Bytes that are hashed at a time: a millisecond's work, or two. */
const HASHED = 1_048_576;

/** One coding of a representation. */
export interface CodedRepresentation {
  readonly bytes: Buffer;
  /** Strong, and another for each coding (RFC 9110, 8.8.3.3). */
  readonly etag: string;
  /** `identity` where compressing would gain nothing. */
  readonly coding: ContentCoding;
}

/**
 * The bytes of something that is always shown the same, rendered once. Each coding is made off the event loop when
 * it is first asked for, and kept.
 */
export class Representation {
  /** As it is, without a coding. */
  readonly bytes: Buffer;
  #plain: MaybePromise<CodedRepresentation>;
  readonly #coded = new Map<ContentCoding, MaybePromise<CodedRepresentation>>();

  /** @param format what tells it from another one of the same bytes: each has its own entity tag */
  constructor(content: string | Buffer, format = '') {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const steps = plainOf(bytes, format);
    this.bytes = bytes;
    this.#plain = bytes.length <= HASHED ? atOnce(steps) : inTurns(steps);
    void andThen(this.#plain, (plain) => (this.#plain = plain));
  }

  /** At once where it was made before. */
  in(coding: ContentCoding): MaybePromise<CodedRepresentation> {
    if (coding === 'identity' || this.bytes.length < WORTHWHILE) return this.#plain;
    return this.#coded.get(coding) ?? this.#make(coding);
  }

  #make(coding: 'br' | 'gzip'): Promise<CodedRepresentation> {
    const making = this.#compress(coding).then((coded) => {
      this.#coded.set(coding, coded);
      return coded;
    });
    this.#coded.set(coding, making);
    // Whoever comes next tries again.
    making.catch(() => this.#coded.delete(coding));
    return making;
  }

  async #compress(coding: 'br' | 'gzip'): Promise<CodedRepresentation> {
    const { bytes, etag } = await this.#plain;
    const isLarge = bytes.length > LARGE;
    const coded =
      coding === 'gzip'
        ? await compressGzip(bytes, { level: isLarge ? 6 : 9 })
        : await compressBrotli(bytes, {
            params: {
              [constants.BROTLI_PARAM_QUALITY]: isLarge ? 5 : 11,
              [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
            },
          });
    // A copy has the size of what is in it; what zlib gives may be a corner of a larger buffer.
    return { bytes: Buffer.from(coded), etag: `${etag.slice(0, -1)}-${coding}"`, coding };
  }
}

function* plainOf(bytes: Buffer, format: string): Steps<CodedRepresentation> {
  const hash = createHash('sha256').update(format);
  for (let at = 0; at < bytes.length; at += HASHED) {
    hash.update(bytes.subarray(at, at + HASHED));
    yield;
  }
  return { bytes, etag: `"${hash.digest('hex').slice(0, 32)}"`, coding: 'identity' };
}
