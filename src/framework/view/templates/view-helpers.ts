import { describeValue } from '../../text/describe-value';

/** A function that templates can call. */
export interface ViewHelper {
  readonly name: string;
  readonly call: (...args: never[]) => unknown;
  /** `html`: the result is markup and not escaped; `text`: it is escaped. */
  readonly returns: 'html' | 'text';
}

/** The functions that templates have besides: `part`, and those of Nunjucks. */
const OTHERS: readonly string[] = ['part', 'range', 'cycler', 'joiner'];

const KINDS: readonly unknown[] = ['html', 'text'] satisfies readonly ViewHelper['returns'][];

/** The view helpers of an application; modules add theirs while it is built. */
export class ViewHelpers {
  readonly #helpers = new Map<string, ViewHelper>();

  /** @throws TypeError if the name already exists, for what is not a function, and for an unknown kind of result */
  add(name: string, call: ViewHelper['call'], returns: ViewHelper['returns'] = 'text'): void {
    if (typeof call !== 'function')
      throw new TypeError(`The view helper "${name}" is ${describeValue(call)}. Pass a function.`);
    if (!KINDS.includes(returns))
      throw new TypeError(
        `The view helper "${name}" returns ${describeValue(returns)}. Pass 'html' for markup, or 'text'.`,
      );
    if (this.#helpers.has(name) || OTHERS.includes(name))
      throw new TypeError(`The view helper "${name}" already exists.`);
    this.#helpers.set(name, { name, call, returns });
  }

  /** The names of all functions of templates. */
  get names(): readonly string[] {
    return [...this.#helpers.keys(), ...OTHERS];
  }

  [Symbol.iterator](): Iterator<ViewHelper> {
    return this.#helpers.values();
  }
}
