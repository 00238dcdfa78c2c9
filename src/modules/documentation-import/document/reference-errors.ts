import { ConfigurationError } from '../../../framework';

/** References that an error names at most. */
const MAX_NAMED = 20;

const EXTERNAL_ADVICE =
  'External documents are not fetched. Bundle them into one file first, e.g. with npx @redocly/cli bundle.';

/** Why a reference cannot be followed. */
export interface ReferenceFailure {
  /** One line. */
  readonly message: string;
  /** Whether it leads to another document. */
  readonly isExternal: boolean;
}

/** The failure of a reference that leads to one that is named with its own place. */
export const ELSEWHERE = Symbol('elsewhere');

/** Collects what is wrong with the `$ref`s of a document: the first ones are named, others are counted. */
export class ReferenceErrors {
  readonly #messages: string[] = [];
  #count = 0;
  #added = 0;
  #hasExternal = false;

  /** The number of failures, also of those that others cause. */
  get added(): number {
    return this.#added;
  }

  add(failure: ReferenceFailure | typeof ELSEWHERE): void {
    this.#added += 1;
    if (failure === ELSEWHERE) return;
    const { message, isExternal } = failure;
    this.#count += 1;
    this.#hasExternal ||= isExternal;
    if (this.#messages.length < MAX_NAMED) this.#messages.push(message);
  }

  /** @throws ConfigurationError with a line for each named reference, unless there is none */
  assertNone(): void {
    if (this.#count === 0) return;
    const others = this.#count - this.#messages.length;
    const more = others === 0 ? [] : [`${others} more $ref${others === 1 ? '' : 's'} cannot be followed.`];
    const advice = this.#hasExternal ? [EXTERNAL_ADVICE] : [];
    throw new ConfigurationError(
      [...this.#messages, ...more, ...advice].join(this.#count === 1 ? ' ' : '\n'),
    );
  }
}
