import { isObject } from '../../framework';
import { toPlain } from './to-plain';

/** A link (RFC 8288), with the members of a HAL link object. */
export interface Link {
  /** A URI reference. One that starts with a slash is resolved against this server, under any host name. */
  readonly href: string;
  /** A human-readable title. */
  readonly title?: string;
  /** Distinguishes links with the same relation. */
  readonly name?: string;
  /** The media type of the target. */
  readonly type?: string;
  /** Whether `href` is a URI template (RFC 6570). */
  readonly templated?: boolean;
}

/** Links by relation. A string is the `href` of a link without other members. */
export type Links = Readonly<Record<string, string | Link | readonly (string | Link)[]>>;

/** The paging members of a collection: `page`, `page_size`, `page_count`, `total_items`, or those of a cursor. */
export type Paging = Readonly<Record<string, unknown>>;

/**
 * An entity with links and embedded resources. HAL shows both; plain JSON shows the content with the embedded
 * resources among its members.
 *
 * @example
 * new HypermediaEntity(book, { links: { author: '/authors/7' }, embedded: { publisher } })
 */
export class HypermediaEntity<Content = unknown> {
  readonly content: Content;
  readonly links: Links;
  /** Entities, collections, lists of them, or plain objects, by relation. */
  readonly embedded: Readonly<Record<string, unknown>>;

  constructor(
    content: Content,
    { links = {}, embedded = {} }: { links?: Links; embedded?: Readonly<Record<string, unknown>> } = {},
  ) {
    this.content = content;
    this.links = links;
    this.embedded = embedded;
  }

  /** Returns a copy with additional links; existing links win. */
  withLinks(links: Links): HypermediaEntity<Content> {
    return new HypermediaEntity(this.content, {
      links: { ...links, ...this.links },
      embedded: this.embedded,
    });
  }

  toJSON(): unknown {
    const plain = toPlain(this.content);
    return isObject(plain) ? { ...plain, ...this.embedded } : plain;
  }
}

/**
 * A collection of entities, or one page of it. In plain JSON it is an array, or an object with the paging members.
 */
export class HypermediaCollection<Item = unknown> {
  readonly #items: readonly Item[];
  /** The name of the member that holds the items. */
  readonly name: string;
  readonly links: Links;
  /** Undefined for a collection that is not paged. */
  readonly paging: Paging | undefined;

  constructor(
    items: readonly Item[],
    { name = 'items', links = {}, paging }: { name?: string; links?: Links; paging?: Paging } = {},
  ) {
    this.#items = items;
    this.name = name;
    this.links = links;
    this.paging = paging;
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  /** Returns a copy with additional links; existing links win. */
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
