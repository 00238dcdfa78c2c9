import { runCooperativelyOnce, type MaybePromise, type Steps } from '../../../framework';
import type { Api } from '../model/api';
import { compareApis, type ComparedServices } from './compare';
import { ComparisonContent } from './comparison-content';

/** A comparison of two versions, computed on first use and cached. */
export class Comparison {
  /** The content; a promise while it is computed cooperatively. */
  readonly content: () => MaybePromise<ComparisonContent>;
  #computed: ComparisonContent | undefined;

  /** @param before the version that `api` is compared with */
  constructor(before: Api, api: Api, which: ComparedServices = {}) {
    this.content = runCooperativelyOnce(() => this.#compute(before, api, which));
  }

  /** The content, if it was computed before. */
  get computed(): ComparisonContent | undefined {
    return this.#computed;
  }

  *#compute(before: Api, api: Api, which: ComparedServices): Steps<ComparisonContent> {
    const changes = yield* compareApis(before, api, which);
    this.#computed = new ComparisonContent(before, api, changes, which.service);
    return this.#computed;
  }
}
