import { isMoreDerived } from '../../framework';
import type { Api, ApiListEntry } from './model/api';
import type { Service } from './model/service';

/**
 * The content of the documentation endpoint: the variables of a view as in the specification (2.1 to 2.3,
 * and 2.6). Its JSON is the documentation itself.
 */
export type DocumentationContent = ApiListContent | ApiContent | ServiceContent;

/** View type `apiList`. */
export class ApiListContent {
  readonly type = 'apiList';
  readonly apis: readonly ApiListEntry[];
  readonly #all: readonly Api[];

  /** @param apis every version of every API */
  constructor(apis: readonly Api[]) {
    this.#all = apis;
    const entries = new Map(apis.map((api) => [api.getName(), api.toListEntry()]));
    this.apis = Object.freeze([...entries.values()]);
  }

  /** Every version of every API, for formats that show more than the list. */
  getApis(): readonly Api[] {
    return this.#all;
  }

  toJSON(): unknown {
    return this.apis;
  }
}

/** View type `api`. */
export class ApiContent {
  readonly type = 'api';
  readonly documentation: Api;

  constructor(api: Api) {
    this.documentation = api;
  }

  /** Its services are converted one by one, when they are written. */
  toJSON(): unknown {
    const api = this.documentation;
    return isMoreDerived(api, 'toPartialJson', 'toJSON') ? api.toPartialJson() : api.toJSON();
  }
}

/** A further page of an API with very many operations. Other formats are complete. */
export class ApiPageContent extends ApiContent {
  readonly pageNumber: number;

  constructor(api: Api, pageNumber: number) {
    super(api);
    this.pageNumber = pageNumber;
  }
}

/** View type `service`. */
export class ServiceContent {
  readonly type = 'service';
  readonly documentation: Service;

  constructor(service: Service) {
    this.documentation = service;
  }

  toJSON(): unknown {
    return this.documentation.toJSON();
  }
}
