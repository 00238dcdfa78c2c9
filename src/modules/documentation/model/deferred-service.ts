import { immutable } from '../../../framework';
import type { ServiceData } from './data';

/** A service whose documentation is built on first use: an API may have ten thousand services. */
export class DeferredService {
  readonly name: string;
  readonly #build: () => ServiceData;
  readonly #isPlain: boolean;
  #kept: ServiceData | undefined;

  /** @param isPlain whether an immutable copy of what is built has the same JSON */
  constructor(name: string, build: () => ServiceData, isPlain = true) {
    this.name = name;
    this.#build = build;
    this.#isPlain = isPlain;
  }

  /** Builds it on the first call, as an immutable copy that is kept. */
  load(): ServiceData {
    return (this.#kept ??= immutable(this.#build()));
  }

  /** Returns it for a single use, in which nothing is changed: it is neither copied nor kept, unless it was before. */
  loadOnce(): ServiceData {
    return this.#kept ?? (this.#isPlain ? this.#build() : this.load());
  }
}
