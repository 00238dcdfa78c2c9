import { describeValue } from '../text/describe-value';
import { isIterable } from '../values/is-iterable';
import { titleOf, typeOf } from './statuses';

/** The optional members of a problem. */
export interface ProblemOptions {
  readonly title?: string;
  readonly type?: string;
  /** The code of the platform's own errors, e.g. `route_not_found`; set by `problem()`. */
  readonly code?: string;
  /** Further members of the document (RFC 9457, 3.2), e.g. `{ available: ['text/html'] }`. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** Header fields of the response, e.g. `[['Allow', 'GET, HEAD']]`. */
  readonly fields?: readonly (readonly [name: string, value: string])[];
  readonly cause?: unknown;
  /** Identifies a failure that recurs with every request until it is repaired: it is logged once. */
  readonly logOnce?: string;
}

/**
 * A problem (RFC 9457). Thrown anywhere during a request, it becomes the response: `application/problem+json`, or an
 * HTML page if the client prefers HTML.
 *
 * @example
 * throw new Problem(409, 'The visit has changed since you loaded it.', { extensions: { revision: 7 } });
 */
export class Problem extends Error {
  readonly status: number;
  readonly title: string;
  readonly type: string;
  /** The code in the error reference; undefined for other problems. Logged, and part of `type`. */
  readonly code: string | undefined;
  readonly detail: string;
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Identifies a failure that is logged once; undefined for problems that are logged each time. */
  readonly logOnce: string | undefined;

  /**
   * @param status an integer from 400 to 599
   * @param detail a text; JavaScript may omit it
   * @throws RangeError for any other status, TypeError for another detail and for fields that are not an iterable of pairs:
   *   each results in a 500 with the reason in the log
   */
  constructor(status: number, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause });
    const found: unknown = detail;
    if (typeof found !== 'string' && found !== undefined) {
      throw new TypeError(
        `The detail of a Problem is ${describeValue(found)}. Use a text, and extensions for other members: new Problem(409, 'The visit has changed.', { extensions: { revision: 7 } }).`,
        { cause: options.cause },
      );
    }
    const given = options.fields ?? [];
    const fields = isIterable(given) ? [...given] : undefined;
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new RangeError(
        `A Problem cannot have the status ${String(status)}. Use an integer from 400 to 599. Its detail: ${detail}`,
        { cause: options.cause },
      );
    }
    // Found when the response is built, it could have no other.
    if (fields?.every(isIterable) !== true) {
      throw new TypeError(
        `The fields of a Problem are ${describeValue(given)}. Use a list of pairs, such as [['Retry-After', '60']]. Its detail: ${detail}`,
        { cause: options.cause },
      );
    }
    this.name = 'Problem';
    this.status = status;
    this.detail = detail;
    this.title = options.title ?? titleOf(this.status);
    this.type = options.type ?? typeOf(this.status);
    this.code = options.code;
    this.extensions = options.extensions ?? {};
    this.fields = fields;
    this.logOnce = options.logOnce;
  }

  /** Returns the problem document. The four standard members take precedence over extensions with the same names. */
  toJSON(): Record<string, unknown> {
    const core = { type: this.type, title: this.title, status: this.status, detail: this.detail };
    // Most problems have no extensions: a literal is a hundred times faster than a spread followed by members.
    return Object.keys(this.extensions).length === 0 ? core : { ...core, ...this.extensions, ...core };
  }

  /**
   * Returns the problem document with the id of the request, which identifies it in the logs. A 401 is the same for
   * every cause: it has no id, and keeps the type of its status.
   *
   * @param errorsUrl the URL of the error reference, for the type of problems with a code
   */
  documentFor(requestId: string, errorsUrl?: string): Record<string, unknown> {
    // A copy: `toJSON` of a subclass may return the same object each time.
    const document: Record<string, unknown> = Object.assign({}, this.toJSON());
    if (this.status === 401) return document;
    if (this.code !== undefined && errorsUrl !== undefined) document.type = `${errorsUrl}#${this.code}`;
    document.request_id = requestId;
    return document;
  }
}
