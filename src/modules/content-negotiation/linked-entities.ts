import { HypermediaCollection, HypermediaEntity, type Links, type Paging } from './hypermedia';

/**
 * Returns a function that copies a plain object with one more member. A member that the object lacks may be undefined.
 * @param first the name of the additional member, which comes before its own
 */
export type CopyItems = (first: string) => (item: object, first: unknown) => object;

/**
 * A collection whose items are plain objects with a link to themselves, and no other hypermedia. The items are created
 * when they are read: formats that know this class show the objects with their links instead.
 */
export class LinkedEntities extends HypermediaCollection<HypermediaEntity> {
  readonly #entities: readonly object[];
  /** Builds the path of an entity; undefined for one without identifier. */
  readonly #locate: (entity: object) => string | undefined;
  readonly #copyItems: CopyItems;
  #wrapped: readonly HypermediaEntity[] | undefined;

  constructor(
    entities: readonly object[],
    locate: (entity: object) => string | undefined,
    copyItems: CopyItems,
    options: { name: string; links: Links; paging?: Paging },
  ) {
    super([], options);
    this.#entities = entities;
    this.#locate = locate;
    this.#copyItems = copyItems;
  }

  override get items(): readonly HypermediaEntity[] {
    return (this.#wrapped ??= this.#entities.map((entity) => {
      const self = this.#locate(entity);
      return new HypermediaEntity(entity, { links: self === undefined ? {} : { self } });
    }));
  }

  /** Returns the entities, each with its links in a member before its own, as for HAL. */
  withLinksIn(member: string): readonly object[] {
    const copy = this.#copyItems(member);
    const locate = this.#locate;
    return this.#entities.map((entity) => {
      const href = locate(entity);
      return href === undefined ? entity : copy(entity, { self: { href } });
    });
  }
}
