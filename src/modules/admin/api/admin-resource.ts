import type { HandlerContext } from '../../hosting';
import type { Change } from '../changes/change';
import type { AdminServices } from '../services';
import { applyChange } from './api-context';

/** What the resources of the admin API stand on, and how they tell one state of the configuration from another. */
export abstract class AdminResource<Entity extends object = object> {
  readonly #admin: () => AdminServices;
  readonly #tags = new WeakMap<Entity, string>();

  /** @param admin the actions; asked for at each request */
  constructor(admin: () => AdminServices) {
    this.#admin = admin;
  }

  protected get admin(): AdminServices {
    return this.#admin();
  }

  /** Applies a change that a request asks for. */
  protected async apply(context: HandlerContext, change: Promise<Change>): Promise<void> {
    await applyChange(context, this.admin, await change);
  }

  /** Remembers what tells the state of an entity that is shown. @returns the entity */
  protected tagged(entity: Entity, tag: string): Entity {
    this.#tags.set(entity, tag);
    return entity;
  }

  revision(entity: Entity): string | undefined {
    return this.#tags.get(entity);
  }
}
