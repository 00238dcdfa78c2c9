import type { MethodTable, MvcEvent, RouteTarget } from '../../../framework';
import type { AccessRule } from '../../mvc-auth';
import { reachableGuard, type Documentation } from '../documentation';

/** A route with content of all APIs, for readers of the list of APIs. */
export abstract class ReadersRoute implements RouteTarget {
  abstract readonly methods: MethodTable;
  protected readonly documentation: Documentation;
  protected readonly access: AccessRule;

  /** @param access who may read the list of APIs */
  constructor(documentation: Documentation, access: AccessRule) {
    this.documentation = documentation;
    this.access = access;
  }

  select(event: MvcEvent): void {
    event.access = this.access;
    event.guard = reachableGuard(this.documentation.guard, this.access, event.request);
  }
}
