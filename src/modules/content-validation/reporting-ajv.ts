import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020';
import { MAX_FOUND } from './error-limits';

/** The errors of a function that Ajv has generated, or of a keyword, copied after the earlier ones. */
const COPIED_ERRORS = /vErrors === null \? ([\w.]+) : vErrors\.concat\(\1\)/g;

/** An error added by generated code, which has the instance as `self`. */
const ADDED_ERROR = /(vErrors\.push\((err\d+)\);\})errors\+\+;/g;

/** Ends the validation of a value with too many errors. */
class TooManyErrors extends Error {}

/**
 * An Ajv instance that reports errors up to a limit: 100,000 items that each lack 200 members would have 20 million
 * errors, in a body of 300 KB.
 */
export class ReportingAjv extends Ajv2020 {
  /** The errors that are found in a value, also in branches of unions that another branch makes void. */
  #found: ErrorObject[] = [];

  constructor(options: Options) {
    // The other instance has logged what is wrong with a schema.
    super({ ...options, allErrors: true, logger: false, code: { process: withCountedErrors } });
  }

  /** Called by generated code. */
  addError(error: ErrorObject): void {
    if (this.#found.push(error) >= MAX_FOUND) throw new TooManyErrors();
  }

  /**
   * Returns the errors of a value; the first ones, if there are too many.
   * @param hasBranches whether the errors that were found first may be void
   * @returns undefined if the errors are not known
   */
  errorsOf(
    validate: ValidateFunction,
    value: unknown,
    hasBranches: boolean,
  ): readonly ErrorObject[] | undefined {
    this.#found = [];
    try {
      return validate(value) ? undefined : (validate.errors ?? undefined);
    } catch (error) {
      if (!(error instanceof TooManyErrors)) throw error;
      return hasBranches ? undefined : this.#found;
    } finally {
      this.#found = [];
    }
  }
}

/** Appends errors, instead of copying all for each further one, and passes them to the instance. */
function withCountedErrors(code: string): string {
  return code
    .replace(COPIED_ERRORS, 'vErrors === null ? $1 : $1.reduce((all, one) => (all.push(one), all), vErrors)')
    .replace(ADDED_ERROR, '$1errors++;self.addError($2);');
}
