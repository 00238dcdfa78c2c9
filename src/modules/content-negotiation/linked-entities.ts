import { HypermediaCollection, HypermediaEntity, type Links, type Paging } from './hypermedia';

/**
 * Copies a plain object of known members, none of which is `_links`, with that one before its own. A member that the
 * object lacks may be undefined.
 */
export type CopyWithLinks = (entity: object, links: unknown) => object;

/**
 * A collection whose items are plain objects with a link to themselves, and no other hypermedia. The items are created
 * when they are read: formats that know this class show the objects with their links instead.
 */
export class LinkedEntities extends HypermediaCollection<HypermediaEntity> {
  readonly #entities: readonly object[];
  /** Builds the path of an entity; undefined for one without identifier. */
  readonly #locate: (entity: object) => string | undefined;
  readonly #copy: CopyWithLinks;
  #wrapped: readonly HypermediaEntity[] | undefined;

  constructor(
    entities: readonly object[],
    locate: (entity: object) => string | undefined,
    copy: CopyWithLinks,
    options: { name: string; links: Links; paging?: Paging },
  ) {
    super([], options);
    this.#entities = entities;
    this.#locate = locate;
    this.#copy = copy;
  }

  override get items(): readonly HypermediaEntity[] {
    return (this.#wrapped ??= this.#entities.map((entity) => {
      const self = this.#locate(entity);
      return new HypermediaEntity(entity, { links: self === undefined ? {} : { self } });
    }));
  }

  /** Returns the entities with their links as members of HAL. */
  toHal(): readonly object[] {
    const copy = this.#copy;
    const locate = this.#locate;
    return this.#entities.map((entity) => {
      const href = locate(entity);
      return href === undefined ? entity : copy(entity, { self: { href } });
    });
  }
}
