import type { MvcEvent } from '../../../../framework';
import type { Validator } from '../../../content-validation';
import type { ResponseFilter } from '../../members/response-filter';
import type { ResponseMatcher } from '../../response-matcher/response-matcher';
import type { ResponseChecks } from '../../responses/response-checks';

/** How results of one schema are filtered and checked. */
export interface FinishedResults {
  /** Operation name, for messages and the log. */
  readonly name: string;
  /** Undefined if everything is sent. */
  readonly filter: ResponseFilter | undefined;
  /** Undefined if results are not checked. */
  readonly validator: Validator | undefined;
  readonly checks: Pick<ResponseChecks, 'compare'>;
}

/** Filters and checks the results of one schema. */
export class ResultFinisher {
  readonly #name: string;
  readonly #filter: ResponseFilter | undefined;
  readonly #validator: Validator | undefined;
  readonly #checks: FinishedResults['checks'];
  /** Compiled for the first result; null if generated code does not cover the schema. */
  #matcher: ResponseMatcher | null | undefined;

  constructor({ name, filter, validator, checks }: FinishedResults) {
    this.#name = name;
    this.#filter = filter;
    this.#validator = validator;
    this.#checks = checks;
    this.#matcher = undefined;
  }

  /** Returns what is sent of a result. @param event undefined for an item of a stream */
  finish(content: unknown, event?: MvcEvent): unknown {
    if (this.#matcher === undefined) this.#matcher = this.#filter?.matcher() ?? null;
    const matcher = this.#matcher;
    if (matcher !== null && this.#isFinished(content, matcher)) {
      if (event !== undefined) event.sent = { value: content, matcher };
      return content;
    }
    const sent = this.#filter === undefined ? content : this.#filter.apply(content);
    if (this.#validator !== undefined) this.#checks.compare(sent, this.#validator, this.#name);
    return sent;
  }

  /** Whether a value is sent as it is, and valid if there is a validator. */
  #isFinished(value: unknown, { isSentAsIs, isValid }: ResponseMatcher): boolean {
    const validator = this.#validator;
    if (validator !== undefined && isValid !== undefined) return isValid(value);
    return isSentAsIs(value) && (validator === undefined || 'value' in validator(value));
  }
}
