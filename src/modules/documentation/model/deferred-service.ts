import { immutable } from '../../../framework';
import type { ServiceData } from './data';

/** A service whose documentation is built on first use: an API may have ten thousand services. */
export class DeferredService {
  readonly name: string;
  readonly #build: () => ServiceData;
  #isKeptForJson: boolean;
  #kept: ServiceData | undefined;

  /** @param isPlain whether an immutable copy of what is built has the same JSON */
  constructor(name: string, build: () => ServiceData, isPlain = true) {
    this.name = name;
    this.#build = build;
    this.#isKeptForJson = !isPlain;
  }

  /** Builds it on the first call, as an immutable copy that is kept. */
  load(): ServiceData {
    return (this.#kept ??= immutable(this.#build()));
  }

  /**
   * Returns it for JSON that is written at once, and in which nothing is changed. The first time, it is neither copied nor
   * kept: most of what ten thousand services would keep is never read again, because the JSON is cached.
   */
  loadForJson(): ServiceData {
    if (this.#isKeptForJson) return this.load();
    this.#isKeptForJson = true;
    return this.#kept ?? this.#build();
  }
}
