import { titleOf, typeOf } from './statuses';

/** What a problem carries beside its status. */
export interface ProblemOptions {
  readonly title?: string;
  readonly type?: string;
  /** Its entry among the platform's own errors, e.g. `route_not_found`; `problem()` sets it. */
  readonly code?: string;
  /** Further members of the document (RFC 9457, 3.2), e.g. `{ available: ['text/html'] }`. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** Response fields that belong to the answer, e.g. `[['Allow', 'GET, HEAD']]`. */
  readonly fields?: readonly (readonly [name: string, value: string])[];
  readonly cause?: unknown;
}

/**
 * An answer that tells what went wrong (RFC 9457). Thrown anywhere during a request, it becomes the
 * response: `application/problem+json`, or a page for people who asked for HTML.
 *
 * @example
 * throw new Problem(409, 'The visit was changed meanwhile.', { extensions: { revision: 7 } });
 */
export class Problem extends Error {
  readonly status: number;
  readonly title: string;
  readonly type: string;
  /** Its entry in the platform's error reference; undefined for problems of authors. Logged, and part of `type`. */
  readonly code: string | undefined;
  readonly detail: string;
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly fields: readonly (readonly [name: string, value: string])[];

  /**
   * @param status of an error: a whole number from 400 to 599
   * @throws RangeError for another: thrown in its place, it is a 500 whose cause the log tells
   */
  constructor(status: number, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause });
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new RangeError(
        `A Problem cannot have the status ${String(status)}: write a whole number from 400 to 599. It says: ${detail}`,
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
    this.fields = options.fields ?? [];
  }

  /** The members of the document; the four of the standard win over extensions of the same name. */
  toJSON(): Record<string, unknown> {
    const core = { type: this.type, title: this.title, status: this.status, detail: this.detail };
    // Most have no more: a spread, and members after it, cost V8 a hundred times what writing them out does.
    return Object.keys(this.extensions).length === 0 ? core : { ...core, ...this.extensions, ...core };
  }

  /**
   * The members of the document, and the id of the request that it answers, by which an operator finds it in the
   * logs. A 401 is the same whatever its cause: it has no id, and keeps the type of its status.
   *
   * @param errorsUrl where the error reference is served: the type of a problem with a code is its entry there
   */
  documentFor(requestId: string, errorsUrl?: string): Record<string, unknown> {
    // A copy: a problem of somebody's own may give the same object each time.
    const document: Record<string, unknown> = Object.assign({}, this.toJSON());
    if (this.status === 401) return document;
    if (this.code !== undefined && errorsUrl !== undefined) document.type = `${errorsUrl}#${this.code}`;
    document.request_id = requestId;
    return document;
  }
}
