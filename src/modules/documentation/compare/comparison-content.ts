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
    const names = [...new Set(this.changes.map((change) => change.service))];
    this.services = Object.freeze(
      names.map((name) => ({
        service: name,
        changes: this.changes.filter((change) => change.service === name),
      })),
    );
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
