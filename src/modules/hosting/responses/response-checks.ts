import { Problem, Response, ViewModel, type Log } from '../../../framework';
import { HypermediaCollection, HypermediaEntity } from '../../content-negotiation';
import type { Validator } from '../../content-validation';
import { toJsonValue, isJsonValue } from '../schema/to-json-value';

/** How responses that do not match their schema are handled. */
export type ResponseCheckMode = 'report' | 'count' | 'off';

/** Responses built by authors, and problems, are not checked. */
const MADE_BY_HAND = [Response, Problem, ViewModel, HypermediaEntity, HypermediaCollection];

/** Maximum number of remembered differences; each is logged once. */
const MAX_ENTRIES = 1_000;

/** Maximum number of members in one log entry. */
const MAX_NAMED = 20;

/**
 * Compares responses with the documented schemas. Clients get the response unchanged; differences are counted, and
 * logged once per operation, location and kind.
 */
export class ResponseChecks {
  readonly #mode: ResponseCheckMode;
  readonly #log: Log;
  readonly #reported = new Set<string>();
  readonly #counts = new Map<string, number>();

  constructor(mode: ResponseCheckMode, log: Log) {
    this.#mode = mode;
    this.#log = log;
  }

  get isOff(): boolean {
    return this.#mode === 'off';
  }

  /** Whether differences are logged. */
  get reports(): boolean {
    return this.#mode === 'report';
  }

  /** Number of differing responses by operation. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Compares a response, or an item of a stream. */
  compare(result: unknown, validator: Validator, name: string): void {
    // Most responses are plain objects.
    if (isJsonValue(result)) this.#compare(result, validator, name);
    else if (!MADE_BY_HAND.some((Type) => result instanceof Type)) {
      const serialized = toJsonValue(result);
      if (serialized !== undefined) this.#compare(serialized.value, validator, name);
    }
  }

  /**
   * Counts and logs another kind of difference. @param difference predicate of the message, after the operation name
   */
  recordDifference(name: string, difference: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    this.warnOnce(name, difference);
  }

  /** Logs advice for the author once, without counting a difference. */
  warnOnce(name: string, advice: string): void {
    const message = `${name} ${advice}`;
    if (this.#mode !== 'report' || this.#reported.has(message) || this.#reported.size >= MAX_ENTRIES) return;
    this.#reported.add(message);
    this.#log.warn({ module: 'hosting', operation: name }, `${message}.`);
  }

  /** Logs once which members were removed from a response. @param members JSON Pointers */
  reportDropped(name: string, members: readonly string[]): void {
    const unreported = members.filter((member) => !this.#reported.has(`${name} drops ${member}`));
    if (!this.reports || unreported.length === 0 || this.#reported.size >= MAX_ENTRIES) return;
    for (const member of unreported) this.#reported.add(`${name} drops ${member}`);
    const all = unreported.slice(0, MAX_NAMED).join(', ') + (unreported.length > MAX_NAMED ? ', …' : '');
    this.#log.warn(
      { module: 'hosting', operation: name, members: unreported.slice(0, MAX_NAMED) },
      `${name} is sent without ${all}: the response schema does not declare ${unreported.length === 1 ? 'this member' : 'these members'}. ` +
        'Declare what clients should get, or set unknown_response_members to "keep".',
    );
  }

  /** @param value response as clients see it */
  #compare(value: unknown, validator: Validator, name: string): void {
    const checked = validator(value);
    if ('value' in checked) return;
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    if (this.#mode === 'report') for (const error of checked.errors) this.#report(name, error);
  }

  #report(
    name: string,
    { pointer, keyword, message }: { pointer: string; keyword: string; message: string },
  ): void {
    // List items may all differ in the same way: report them once.
    const location = pointer.replace(/\/\d+(?=\/|$)/g, '/*');
    const difference = `${name} ${location} ${keyword}`;
    if (this.#reported.has(difference) || this.#reported.size >= MAX_ENTRIES) return;
    this.#reported.add(difference);
    this.#log.warn(
      { module: 'hosting', operation: name, pointer, keyword },
      `${name} returned a response that does not match its schema: ${location === '' ? 'the body' : location} ${message}.`,
    );
  }
}
