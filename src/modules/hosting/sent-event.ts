/** What an event of a stream may say beside its data. */
export interface SentEventOptions {
  /** Its type, for `addEventListener`; `message` unless told. */
  readonly event?: string;
  /** What a client that comes again names in `Last-Event-ID`. */
  readonly id?: string;
  /** Milliseconds that clients should wait before they come again. */
  readonly retry?: number;
}

const LINE_END = /[\r\n\0]/;

/**
 * An item of a stream that is more than its data, where it goes out as server-sent events (WHATWG HTML, 9.2). As
 * NDJSON it is its data alone.
 *
 * @example
 * yield new SentEvent({ price: 12 }, { event: 'offer', id: '7' });
 */
export class SentEvent<Data = unknown> {
  readonly data: Data;
  readonly options: SentEventOptions;

  /** @throws TypeError for a type or an id of more than one line, which would be read as other fields, and an odd `retry` */
  constructor(data: Data, options: SentEventOptions = {}) {
    for (const text of [options.event, options.id]) {
      if (text !== undefined && LINE_END.test(text)) {
        throw new TypeError('The type and the id of an event are of one line.');
      }
    }
    const { retry } = options;
    if (retry !== undefined && !(Number.isSafeInteger(retry) && retry >= 0)) {
      throw new TypeError('The time until a client comes again is in whole milliseconds.');
    }
    this.data = data;
    this.options = options;
  }
}
