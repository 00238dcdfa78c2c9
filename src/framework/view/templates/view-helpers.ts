/** A function that templates can call. */
export interface ViewHelper {
  readonly name: string;
  readonly call: (...args: never[]) => unknown;
  /** `html`: the result is markup and not escaped; `text`: it is escaped. */
  readonly returns: 'html' | 'text';
}

/** The view helpers of an application; modules add theirs while it is built. */
export class ViewHelpers {
  readonly #helpers = new Map<string, ViewHelper>();

  /** @throws TypeError if the name already exists */
  add(name: string, call: ViewHelper['call'], returns: ViewHelper['returns'] = 'text'): void {
    if (this.#helpers.has(name)) throw new TypeError(`The view helper "${name}" already exists.`);
    this.#helpers.set(name, { name, call, returns });
  }

  [Symbol.iterator](): Iterator<ViewHelper> {
    return this.#helpers.values();
  }
}
