import { onceInTurns, type MaybePromise } from '../../../framework';
import type { Api } from '../model/api';
import { compareApis, type ComparedServices } from './compare';
import { ComparisonContent } from './comparison-content';

/** A comparison that may be asked for; it is made when it first is, and kept. */
export class Comparison {
  readonly type = 'comparison';
  /** What it shows: a promise while it is made, so that other requests have their turn. */
  readonly content: () => MaybePromise<ComparisonContent>;

  /** @param before the version that `api` is compared with */
  constructor(before: Api, api: Api, which: ComparedServices = {}) {
    this.content = onceInTurns(function* () {
      const changes = yield* compareApis(before, api, which);
      return new ComparisonContent(before, api, changes, which.service);
    });
  }
}
