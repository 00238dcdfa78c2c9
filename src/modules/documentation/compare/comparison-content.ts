import type { Api } from '../model/api';
import type { Change } from './change';

/** The changes of one service. */
export interface ServiceChanges {
  readonly service: string;
  readonly changes: readonly Change[];
}

/** View type `comparison`: what one version of an API, or one of its services, has that another has not. */
export class ComparisonContent {
  readonly type = 'comparison';
  readonly documentation: Api;
  /** Undefined where the whole API is compared. */
  readonly service: string | undefined;
  /** The version that is compared with. */
  readonly base: number;
  readonly changes: readonly Change[];
  readonly services: readonly ServiceChanges[];
  /** How many changes a client may not survive. */
  readonly breaking: number;

  /** @param before the version that `api` is compared with */
  constructor(before: Api, api: Api, changes: readonly Change[], service?: string) {
    this.documentation = api;
    this.service = service;
    this.base = before.getVersion();
    this.changes = Object.freeze([...changes]);
    this.breaking = this.changes.filter((change) => change.breaking).length;
    const byService = new Map<string, Change[]>();
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
