import type { HandlerContext } from '../../../hosting';
import type { Change } from '../../changes/change';
import type { Applied } from '../../changes/change-effects';
import type { AdminServices } from '../../services';
import { applyChange } from './api-context';

/** The base class of the resources of the admin API. */
export abstract class AdminResource<Entity extends object = object> {
  readonly #admin: () => AdminServices;
  readonly #tags = new WeakMap<Entity, string>();

  /** @param admin returns the actions; called on each request */
  constructor(admin: () => AdminServices) {
    this.#admin = admin;
  }

  protected get admin(): AdminServices {
    return this.#admin();
  }

  /** Applies a change on behalf of the request. */
  protected async apply(context: HandlerContext, prepare: () => Promise<Change>): Promise<Applied> {
    return applyChange(context, this.admin, prepare);
  }

  /** Stores the tag of an entity for its `ETag`. @returns the entity */
  protected tagged(entity: Entity, tag: string): Entity {
    this.#tags.set(entity, tag);
    return entity;
  }

  revision(entity: Entity): string | undefined {
    return this.#tags.get(entity);
  }
}
