import type { Api } from '../model/api';
import type { ApiChange } from './change';

/** The changes of one service. */
export interface ServiceChanges {
  readonly service: string;
  readonly changes: readonly ApiChange[];
}

/**
 * The changes between two versions of an API, or of one of its services: the variables of the template
 * `platform-documentation/comparison`. It is not a view type of the specification (2.6).
 */
export class ComparisonContent {
  readonly documentation: Api;
  /** Undefined if the whole API is compared. */
  readonly service: string | undefined;
  /** The version that `documentation` is compared with. */
  readonly base: number;
  readonly changes: readonly ApiChange[];
  readonly services: readonly ServiceChanges[];
  /** The number of breaking changes. */
  readonly breaking: number;

  /** @param before the version that `api` is compared with */
  constructor(before: Api, api: Api, changes: readonly ApiChange[], service?: string) {
    this.documentation = api;
    this.service = service;
    this.base = before.getVersion();
    this.changes = Object.freeze([...changes]);
    this.breaking = this.changes.filter((change) => change.breaking).length;
    const byService = new Map<string, ApiChange[]>();
    for (const change of this.changes) {
      const known = byService.get(change.service);
      if (known === undefined) byService.set(change.service, [change]);
      else known.push(change);
    }
    this.services = Object.freeze([...byService].map(([name, own]) => ({ service: name, changes: own })));
  }

  toJSON(): unknown {
    const { documentation, base, breaking, changes, service } = this;
    return {
      api: documentation.getName(),
      ...(service === undefined ? {} : { service }),
      from: base,
      to: documentation.getVersion(),
      breaking,
      changes,
    };
  }
}
