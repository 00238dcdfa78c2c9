// Finds the end of an HTTP/1.1 response (RFC 9112, 6) without storing its body: all that a load generator needs.

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/** Reads the responses of a connection one after the other. */
export class AnswerReader {
  status = 0;
  #head = '';
  /** Remaining bytes of the body; undefined while the head is read. */
  #left;
  /** For a chunked body: its last bytes. */
  #tail;

  /** @param {Buffer} part @returns {boolean} whether the response is complete; the next part then begins another */
  take(part) {
    if (this.#tail !== undefined) return this.#takeChunked(part.toString('latin1'));
    if (this.#left !== undefined) return this.#counted(part.length);
    return this.#takeHead(part);
  }

  #takeHead(part) {
    // A head nearly always arrives whole: the bytes after it are not converted to a string then.
    const at = this.#head === '' ? part.indexOf(HEAD_END) : -1;
    this.#head += part.latin1Slice(0, at < 0 ? part.length : at + HEAD_END.length);
    const end = at < 0 ? this.#head.indexOf(HEAD_END) : at;
    if (end < 0) return false;
    const head = this.#head.slice(0, end);
    const body = at < 0 ? this.#head.length - end - 4 : part.length - at - 4;
    this.#head = '';
    this.status = Number(head.slice(9, 12));
    if (this.status === 204 || this.status === 304) return true;
    if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
      this.#tail = '';
      return this.#takeChunked(part.latin1Slice(part.length - body));
    }
    this.#left = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    return this.#counted(body);
  }

  #counted(bytes) {
    this.#left -= bytes;
    if (this.#left > 0) return false;
    this.#left = undefined;
    return true;
  }

  #takeChunked(text) {
    this.#tail = (this.#tail + text).slice(-LAST_CHUNK.length);
    if (this.#tail !== LAST_CHUNK) return false;
    this.#tail = undefined;
    return true;
  }
}
