import { runCooperativelyOnce, type MaybePromise } from '../../../framework';
import type { Api } from '../model/api';
import { compareApis, type ComparedServices } from './compare';
import { ComparisonContent } from './comparison-content';

/** A comparison of two versions, computed on first use and cached. */
export class Comparison {
  /** The content; a promise while it is computed cooperatively. */
  readonly content: () => MaybePromise<ComparisonContent>;

  /** @param before the version that `api` is compared with */
  constructor(before: Api, api: Api, which: ComparedServices = {}) {
    this.content = runCooperativelyOnce(function* () {
      const changes = yield* compareApis(before, api, which);
      return new ComparisonContent(before, api, changes, which.service);
    });
  }
}
