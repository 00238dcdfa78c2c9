import { Problem, Response, ViewModel, isThenable, type Log, type MvcEvent } from '../../framework';
import { HypermediaCollection, HypermediaEntity } from '../content-negotiation';
import type { Validator } from '../content-validation';
import { asShown, isPlain } from './as-shown';

/** What to do with answers that are not what their schema says. */
export type ResponseCheckMode = 'report' | 'count' | 'off';

/** What authors make by hand, and what went wrong, is not the schema's concern. */
const MADE_BY_HAND = [Response, Problem, ViewModel, HypermediaEntity, HypermediaCollection];

/** Differences to remember: each is told once. */
const MOST = 1_000;

/**
 * Compares answers with the schemas that documentation tells clients of. Nothing changes for the client: what is
 * wrong is logged, once for each place and kind of difference, and counted.
 */
export class ResponseChecks {
  readonly #mode: ResponseCheckMode;
  readonly #log: Log;
  readonly #told = new Set<string>();
  readonly #counts = new Map<string, number>();

  constructor(mode: ResponseCheckMode, log: Log) {
    this.#mode = mode;
    this.#log = log;
  }

  get isOff(): boolean {
    return this.#mode === 'off';
  }

  /** Answers that differed, by operation. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** A handler whose results are compared. @param name of the operation */
  checked(
    handler: (event: MvcEvent) => unknown,
    validator: Validator,
    name: string,
  ): (event: MvcEvent) => unknown {
    if (this.isOff) return handler;
    const looked = (result: unknown): unknown => {
      this.look(result, validator, name);
      return result;
    };
    return (event) => {
      const result = handler(event);
      return isThenable(result) ? Promise.resolve(result).then(looked) : looked(result);
    };
  }

  /** Compares one answer, or one item of a stream. */
  look(result: unknown, validator: Validator, name: string): void {
    // Most answers are plain objects.
    if (isPlain(result)) this.#compare(result, validator, name);
    else if (!MADE_BY_HAND.some((Made) => result instanceof Made)) {
      const shown = asShown(result);
      if (shown !== undefined) this.#compare(shown.value, validator, name);
    }
  }

  /** Counts another kind of difference, and tells of it as of those above. @param difference what the operation does */
  note(name: string, difference: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    this.advise(name, difference);
  }

  /** Tells its author once of what is allowed and hardly meant. Nothing is counted: clients were told nothing else. */
  advise(name: string, advice: string): void {
    const told = `${name} ${advice}`;
    if (this.#mode !== 'report' || this.#told.has(told) || this.#told.size >= MOST) return;
    this.#told.add(told);
    this.#log.warn({ operation: name }, `${told}.`);
  }

  /** @param shown as clients see it */
  #compare(shown: unknown, validator: Validator, name: string): void {
    const checked = validator(shown);
    if ('value' in checked) return;
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    if (this.#mode === 'report') for (const error of checked.errors) this.#tell(name, error);
  }

  #tell(
    name: string,
    { pointer, keyword, message }: { pointer: string; keyword: string; message: string },
  ): void {
    // Every item of a list may differ in the same way.
    const place = pointer.replace(/\/\d+(?=\/|$)/g, '/*');
    const difference = `${name} ${place} ${keyword}`;
    if (this.#told.has(difference) || this.#told.size >= MOST) return;
    this.#told.add(difference);
    this.#log.warn(
      { operation: name, pointer, keyword },
      `${name} answers with what its schema does not allow: ${place === '' ? 'the whole' : place} ${message}.`,
    );
  }
}
