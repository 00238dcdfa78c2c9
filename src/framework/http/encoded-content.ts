import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { runSync, runCooperatively, type RenderSteps } from '../events/cooperative';
import { andThen, type MaybePromise } from '../events/maybe-promise';
import type { ContentCoding } from './negotiation/content-coding';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Bytes from which on compressing is worth its fields (RFC 9110 sets no limit; a packet holds about as much). */
const MIN_COMPRESSED_BYTES = 860;

/** Bytes from which on the best compression takes seconds. */
const LARGE_BYTES = 262_144;

/** Bytes that are hashed at a time: a millisecond's work, or two. */
const HASH_CHUNK_BYTES = 1_048_576;

/** One coding of a representation. */
export interface EncodedVariant {
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
export class EncodedContent {
  /** As it is, without a coding. */
  readonly bytes: Buffer;
  #identity: MaybePromise<EncodedVariant>;
  readonly #variants = new Map<ContentCoding, MaybePromise<EncodedVariant>>();

  /** @param format what tells it from another one of the same bytes: each has its own entity tag */
  constructor(content: string | Buffer, format = '') {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const steps = identityVariant(bytes, format);
    this.bytes = bytes;
    this.#identity = bytes.length <= HASH_CHUNK_BYTES ? runSync(steps) : runCooperatively(steps);
    void andThen(this.#identity, (plain) => (this.#identity = plain));
  }

  /** At once where it was made before. */
  in(coding: ContentCoding): MaybePromise<EncodedVariant> {
    if (coding === 'identity' || this.bytes.length < MIN_COMPRESSED_BYTES) return this.#identity;
    return this.#variants.get(coding) ?? this.#encode(coding);
  }

  #encode(coding: 'br' | 'gzip'): Promise<EncodedVariant> {
    const making = this.#compress(coding).then((coded) => {
      this.#variants.set(coding, coded);
      return coded;
    });
    this.#variants.set(coding, making);
    // Whoever comes next tries again.
    making.catch(() => this.#variants.delete(coding));
    return making;
  }

  async #compress(coding: 'br' | 'gzip'): Promise<EncodedVariant> {
    const { bytes, etag } = await this.#identity;
    const isLarge = bytes.length > LARGE_BYTES;
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

function* identityVariant(bytes: Buffer, format: string): RenderSteps<EncodedVariant> {
  const hash = createHash('sha256').update(format);
  for (let at = 0; at < bytes.length; at += HASH_CHUNK_BYTES) {
    hash.update(bytes.subarray(at, at + HASH_CHUNK_BYTES));
    yield;
  }
  return { bytes, etag: `"${hash.digest('hex').slice(0, 32)}"`, coding: 'identity' };
}
