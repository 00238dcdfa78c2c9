import { _, Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020';
import { isList, isPlainObject } from '../../../framework';
import { containedIn, type ContainedItems } from '../keywords/contains';
import { REFERENCES } from '../keywords/evaluated';
import { extendCode } from '../keywords/extend-code';
import {
  MAX_FOUND,
  MAX_LOCATIONS,
  MAX_MATCHED,
  MAX_REFERENCES,
  MAX_REFERENCES_PER_VALUE,
  MAX_TRIED,
} from '../error-limits';
import { withCountedErrors, withOwnDefaults } from './generated-code';
import { TOO_MANY_BRANCHES, TOO_MANY_REFERENCES, TooManyErrors } from './too-many-errors';

interface RemovedMember {
  readonly parent: object;
  readonly name: PropertyKey;
  readonly value: unknown;
}

/**
 * An Ajv instance that makes a limited number of errors: 100,000 items that each lack 200 members would have 20 million,
 * in a body of 300 KB, and a recursive union tries its branches at each level for each branch of the level above.
 */
export class LimitedAjv extends Ajv2020 {
  readonly #limit: number;
  #count = 0;
  #characters = 0;
  #matches = 0;
  #references = 0;
  #maxReferences = MAX_REFERENCES;
  #value: unknown;
  /** The members that were removed from the value. Generated code reads how many there are. */
  readonly removed: RemovedMember[] = [];
  /** The items that `contains` evaluates. Generated code reads and cuts it. */
  readonly contained: ContainedItems[] = [];
  /** The errors that are found in a value, also in branches of unions that another branch makes void. */
  #found: ErrorObject[] | undefined;

  /**
   * @param isThorough whether schemas may have `unevaluatedProperties` or `unevaluatedItems`, for which branches of a union
   *   are tried after one that matches, or members such as `constructor`, which every object inherits
   */
  constructor(options: Options, isThorough: boolean) {
    const process = (code: string): string => withCountedErrors(isThorough ? withOwnDefaults(code) : code);
    // Ajv's own optimization takes more than half of the compilation, and V8 optimizes what it would.
    super({ ...options, ownProperties: isThorough, code: { process, optimize: false } });
    // The constructor of drafts since 2019-09 sets it.
    this.opts.unevaluated = isThorough;
    for (const keyword of REFERENCES)
      extendCode(this, keyword, (context, code) => {
        context.gen.code(_`self.addReference()`);
        code(context);
      });
    this.#limit = options.allErrors === true ? MAX_FOUND : MAX_TRIED;
  }

  /** Removes a member of the value. */
  removeMember(parent: object, name: PropertyKey): void {
    this.removed.push({ parent, name, value: Reflect.get(parent, name) });
    Reflect.deleteProperty(parent, name);
  }

  /**
   * Restores members, because another branch of a union may need them. Called by generated code.
   * @param mark how many were removed before
   * @param restored gets the restored members
   */
  restore(mark: number, restored: RemovedMember[] = []): readonly RemovedMember[] {
    for (const member of this.removed.splice(mark)) {
      const { parent, name, value } = member;
      // Assigning `__proto__` would change the prototype.
      Object.defineProperty(parent, name, { value, configurable: true, enumerable: true, writable: true });
      restored.push(member);
    }
    return restored;
  }

  /** Removes what matching branches of a union have removed, after others were tried. Called by generated code. */
  removeAgain(members: readonly RemovedMember[]): void {
    for (const { parent, name } of members) if (Object.hasOwn(parent, name)) this.removeMember(parent, name);
  }

  /**
   * Returns the positions of the items of a list that `contains` has evaluated. Called by generated code.
   * @param mark how many lists were there before: others are forgotten
   */
  takeContained(list: unknown, mark: number): ReadonlySet<number> | undefined {
    return this.contained.length > mark ? containedIn(list, this.contained.splice(mark)) : undefined;
  }

  /** Called by generated code. @param error empty for one of a condition (`if`, `not`) */
  addError(error: Partial<ErrorObject>): void {
    this.#count += 1;
    if (this.#found !== undefined && isNamed(error)) {
      this.#found.push(error);
      this.#characters += error.instancePath.length;
    }
    if (this.#count >= this.#limit || this.#characters > MAX_LOCATIONS)
      throw new TooManyErrors(TOO_MANY_BRANCHES);
  }

  /** Called by generated code for a branch of a union that matches after another one. */
  addMatch(): void {
    this.#matches += 1;
    if (this.#matches > MAX_MATCHED) throw new TooManyErrors(TOO_MANY_BRANCHES);
  }

  /** Called by generated code before it follows a reference. */
  addReference(): void {
    this.#references += 1;
    if (this.#references <= this.#maxReferences) return;
    this.#maxReferences = Math.max(MAX_REFERENCES, MAX_REFERENCES_PER_VALUE * countValues(this.#value));
    if (this.#references > this.#maxReferences)
      throw new TooManyErrors(this.#matches > 0 ? TOO_MANY_BRANCHES : TOO_MANY_REFERENCES);
  }

  #start(value: unknown): void {
    this.#count = 0;
    this.#matches = 0;
    this.#references = 0;
    this.#maxReferences = MAX_REFERENCES;
    this.#value = value;
  }

  #end(): void {
    this.#value = undefined;
    this.removed.length = 0;
    this.contained.length = 0;
  }

  /** Returns whether a value is valid; `errors` of the function says why not. */
  accepts(validate: ValidateFunction, value: unknown): boolean {
    this.#start(value);
    try {
      return validate(value);
    } catch (error) {
      if (!(error instanceof TooManyErrors)) throw error;
      validate.errors = [error.reason];
      return false;
    } finally {
      this.#end();
    }
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
    const found: ErrorObject[] = [];
    this.#start(value);
    this.#found = found;
    this.#characters = 0;
    try {
      return validate(value) ? undefined : (validate.errors ?? undefined);
    } catch (error) {
      // References into a union that was rewritten are found when a value first reaches them.
      if (isMissingReference(error)) return undefined;
      if (!(error instanceof TooManyErrors)) throw error;
      return hasBranches || found.length === 0 ? undefined : found;
    } finally {
      this.#found = undefined;
      this.#end();
    }
  }
}

/** Returns whether compilation failed because of a reference to a schema that does not exist. */
export function isMissingReference(error: unknown): boolean {
  return error instanceof Ajv2020.MissingRefError;
}

function isNamed(error: Partial<ErrorObject>): error is ErrorObject {
  return error.instancePath !== undefined;
}

/** Returns the number of values in a value, with itself. */
function countValues(value: unknown): number {
  const pending = [value];
  let count = 0;
  for (let one = pending.pop(); pending.length > 0 || one !== undefined; one = pending.pop()) {
    count += 1;
    if (isList(one) || isPlainObject(one)) for (const part of Object.values(one)) pending.push(part);
  }
  return count;
}
