import { Problem, Response, ViewModel, andThen, type Log, type MvcEvent } from '../../framework';
import { HypermediaCollection, HypermediaEntity } from '../content-negotiation';
import type { Validator } from '../content-validation';
import { asShown } from './as-shown';

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
    return (event) =>
      andThen(handler(event), (result) => {
        this.look(result, validator, name);
        return result;
      });
  }

  /** Compares one answer, or one item of a stream. */
  look(result: unknown, validator: Validator, name: string): void {
    if (!MADE_BY_HAND.some((Made) => result instanceof Made)) this.#compare(result, validator, name);
  }

  /** Counts another kind of difference, and tells of it as of those above. @param difference what the operation does */
  note(name: string, difference: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    const told = `${name} ${difference}`;
    if (this.#mode !== 'report' || this.#told.has(told) || this.#told.size >= MOST) return;
    this.#told.add(told);
    this.#log.warn({ operation: name }, `${told}.`);
  }

  #compare(result: unknown, validator: Validator, name: string): void {
    const shown = asShown(result);
    if (shown === undefined) return;
    const checked = validator(shown.value);
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
