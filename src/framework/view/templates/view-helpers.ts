/** A function that templates may call by its name. */
export interface ViewHelper {
  readonly name: string;
  readonly call: (...args: never[]) => unknown;
  /** `html`: its text is markup and stands as it is; `text`: it is escaped. */
  readonly returns: 'html' | 'text';
}

/** The helpers of an application, contributed by modules while it is built. */
export class ViewHelpers {
  readonly #helpers = new Map<string, ViewHelper>();

  /** @throws TypeError when the name is taken */
  add(name: string, call: ViewHelper['call'], returns: ViewHelper['returns'] = 'text'): void {
    if (this.#helpers.has(name)) throw new TypeError(`The view helper "${name}" already exists.`);
    this.#helpers.set(name, { name, call, returns });
  }

  [Symbol.iterator](): Iterator<ViewHelper> {
    return this.#helpers.values();
  }
}
