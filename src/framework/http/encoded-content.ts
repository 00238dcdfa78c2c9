import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { runCooperatively } from '../events/cooperative';
import { runSync, type Steps } from '../values/steps';
import { andThen, type MaybePromise } from '../events/maybe-promise';
import type { ContentCoding } from './negotiation/content-coding';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Smaller content is not compressed: it fits in one packet anyway. */
const MIN_COMPRESSED_BYTES = 860;

/** Content larger than this is compressed at a lower level: the best compression would take seconds. */
const LARGE_BYTES = 262_144;

/** Bytes hashed per step: one or two milliseconds. */
const HASH_CHUNK_BYTES = 1_048_576;

/** Content in one content coding. */
export interface EncodedVariant {
  readonly bytes: Buffer;
  /** A strong entity tag, different for each coding (RFC 9110, 8.8.3.3). */
  readonly etag: string;
  /** `identity` for content that is too small to compress. */
  readonly coding: ContentCoding;
}

/**
 * Content that never changes, rendered once. Each content coding is computed off the event loop on first use, and
 * cached.
 */
export class EncodedContent {
  /** The content without a coding. */
  readonly bytes: Buffer;
  #identity: MaybePromise<EncodedVariant>;
  readonly #variants = new Map<ContentCoding, MaybePromise<EncodedVariant>>();

  /** @param format distinguishes the entity tags of equal bytes in different formats */
  constructor(content: string | Buffer, format = '') {
    const bytes = typeof content === 'string' ? ownBytes(Buffer.from(content)) : content;
    const steps = identityVariant(bytes, format);
    this.bytes = bytes;
    this.#identity = bytes.length <= HASH_CHUNK_BYTES ? runSync(steps) : runCooperatively(steps);
    void andThen(this.#identity, (plain) => (this.#identity = plain));
  }

  /** Returns the content in a coding; synchronously if it is cached. */
  in(coding: ContentCoding): MaybePromise<EncodedVariant> {
    if (coding === 'identity' || this.bytes.length < MIN_COMPRESSED_BYTES) return this.#identity;
    return this.#variants.get(coding) ?? this.#encode(coding);
  }

  #encode(coding: 'br' | 'gzip'): Promise<EncodedVariant> {
    const pending = this.#compress(coding).then((variant) => {
      this.#variants.set(coding, variant);
      return variant;
    });
    this.#variants.set(coding, pending);
    // The next request retries.
    pending.catch(() => this.#variants.delete(coding));
    return pending;
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
    return { bytes: ownBytes(coded), etag: `${etag.slice(0, -1)}-${coding}"`, coding };
  }
}

/**
 * Copies bytes that are kept: a part of Node's pool keeps all of it, which has 64 KiB from Node.js 24 on, and zlib may allocate
 * more than its result has.
 */
function ownBytes(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}

function* identityVariant(bytes: Buffer, format: string): Steps<EncodedVariant> {
  const hash = createHash('sha256').update(format);
  for (let at = 0; at < bytes.length; at += HASH_CHUNK_BYTES) {
    hash.update(bytes.subarray(at, at + HASH_CHUNK_BYTES));
    yield;
  }
  return { bytes, etag: `"${hash.digest('hex').slice(0, 32)}"`, coding: 'identity' };
}
