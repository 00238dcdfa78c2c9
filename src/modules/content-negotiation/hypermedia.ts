import { toPlain } from './to-plain';

/** Where something related is (RFC 8288; its members are those of HAL's link objects). */
export interface Link {
  /** A URI reference: one that begins with a slash leads to this service under whatever name it is reached. */
  readonly href: string;
  /** For people. */
  readonly title?: string;
  /** Tells links of one relation apart. */
  readonly name?: string;
  /** The media type that is to be expected there. */
  readonly type?: string;
  /** Whether `href` is a URI template (RFC 6570). */
  readonly templated?: boolean;
}

/** Links by their relation; a string is the `href` of a link with nothing else. */
export type Links = Readonly<Record<string, string | Link | readonly (string | Link)[]>>;

/** Where in the whole a collection is: `page`, `page_size`, `page_count`, `total_items`, or what a cursor needs. */
export type Paging = Readonly<Record<string, unknown>>;

/**
 * An entity with its links and what is embedded in it. In a representation that knows hypermedia (HAL) it has
 * both; as plain JSON it is its content, with what is embedded among its members.
 *
 * @example
 * new HypermediaEntity(book, { links: { author: '/authors/7' }, embedded: { publisher } })
 */
export class HypermediaEntity<Content = unknown> {
  readonly content: Content;
  readonly links: Links;
  /** Entities, collections, lists of them, or plain objects, by their relation. */
  readonly embedded: Readonly<Record<string, unknown>>;

  constructor(
    content: Content,
    { links = {}, embedded = {} }: { links?: Links; embedded?: Readonly<Record<string, unknown>> } = {},
  ) {
    this.content = content;
    this.links = links;
    this.embedded = embedded;
  }

  /** The same entity with links that it may lack: its own stay. */
  withLinks(links: Links): HypermediaEntity<Content> {
    return new HypermediaEntity(this.content, {
      links: { ...links, ...this.links },
      embedded: this.embedded,
    });
  }

  toJSON(): unknown {
    const plain = toPlain(this.content);
    return typeof plain === 'object' && plain !== null && !Array.isArray(plain)
      ? { ...plain, ...this.embedded }
      : plain;
  }
}

/** A collection of entities, perhaps a part of a larger one. As plain JSON a list, or a page with its numbers. */
export class HypermediaCollection<Item = unknown> {
  readonly items: readonly Item[];
  /** The member that holds the items. */
  readonly name: string;
  readonly links: Links;
  /** Undefined for a collection that is whole. */
  readonly paging: Paging | undefined;

  constructor(
    items: readonly Item[],
    { name = 'items', links = {}, paging }: { name?: string; links?: Links; paging?: Paging } = {},
  ) {
    this.items = items;
    this.name = name;
    this.links = links;
    this.paging = paging;
  }

  /** The same collection with links that it may lack: its own stay. */
  withLinks(links: Links): HypermediaCollection<Item> {
    const { items, name, paging } = this;
    return new HypermediaCollection(items, {
      name,
      links: { ...links, ...this.links },
      ...(paging === undefined ? {} : { paging }),
    });
  }

  toJSON(): unknown {
    return this.paging === undefined ? this.items : { [this.name]: this.items, ...this.paging };
  }
}
