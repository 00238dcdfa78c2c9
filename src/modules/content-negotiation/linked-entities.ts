import { HypermediaCollection, HypermediaEntity, type Links, type Paging } from './hypermedia';

/**
 * A collection whose items have a link to themselves, and no other hypermedia. The items are created when they are
 * read: formats that know this class build the links directly.
 */
export class LinkedEntities extends HypermediaCollection<HypermediaEntity> {
  /** The content of the items. */
  readonly entities: readonly object[];
  /** Builds the path of an entity; undefined for one without identifier. */
  readonly locate: (entity: object) => string | undefined;
  #wrapped: readonly HypermediaEntity[] | undefined;

  constructor(
    entities: readonly object[],
    locate: (entity: object) => string | undefined,
    options: { name: string; links: Links; paging?: Paging },
  ) {
    super([], options);
    this.entities = entities;
    this.locate = locate;
  }

  override get items(): readonly HypermediaEntity[] {
    return (this.#wrapped ??= this.entities.map((entity) => {
      const self = this.locate(entity);
      return new HypermediaEntity(entity, { links: self === undefined ? {} : { self } });
    }));
  }
}
