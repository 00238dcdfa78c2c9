/** The fields of a server-sent event besides its data. */
export interface ServerSentEventOptions {
  /** Event type, for `addEventListener`; defaults to `message`. */
  readonly event?: string;
  /** Event ID, which reconnecting clients send in `Last-Event-ID`. */
  readonly id?: string;
  /** Reconnection delay in milliseconds. */
  readonly retry?: number;
}

const LINE_END = /[\r\n\0]/;

/**
 * A stream item with event fields (WHATWG HTML, 9.2). In NDJSON only its data is sent.
 *
 * @example
 * yield new ServerSentEvent({ price: 12 }, { event: 'offer', id: '7' });
 */
export class ServerSentEvent<Data = unknown> {
  readonly data: Data;
  readonly options: ServerSentEventOptions;

  /** @throws TypeError for a line break in a type or ID, which would start another field, or an invalid `retry` */
  constructor(data: Data, options: ServerSentEventOptions = {}) {
    for (const text of [options.event, options.id]) {
      if (text !== undefined && LINE_END.test(text)) {
        throw new TypeError('The type and ID of an event must not contain line breaks.');
      }
    }
    const { retry } = options;
    if (retry !== undefined && !(Number.isSafeInteger(retry) && retry >= 0)) {
      throw new TypeError('The retry delay of an event must be a non-negative integer (milliseconds).');
    }
    this.data = data;
    this.options = options;
  }

  /** Returns the same event with other data. */
  with<Other>(data: Other): ServerSentEvent<Other> {
    return new ServerSentEvent(data, this.options);
  }
}
