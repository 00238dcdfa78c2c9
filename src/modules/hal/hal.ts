import {
  HypermediaCollection,
  HypermediaEntity,
  plainOf,
  type Link,
  type Links,
} from '../content-negotiation';

/** A JSON object. */
type Members = Readonly<Record<string, unknown>>;

/**
 * Content as HAL (draft-kelly-json-hal-11): links under `_links`, what is embedded under `_embedded`. Hypermedia
 * among an entity's members is embedded too; everything else stays as it is.
 * @throws TypeError for hypermedia that embeds itself, naming the way
 */
export function toHal(content: unknown): unknown {
  return show(content, []);
}

/** One thing within which another is embedded. */
interface Step {
  readonly what: object;
  readonly relation: string;
}

function show(content: unknown, way: readonly Step[]): unknown {
  if (content instanceof HypermediaEntity) return entity(content, way);
  if (content instanceof HypermediaCollection) return collection(content, way);
  return content;
}

function entity(shown: HypermediaEntity, way: readonly Step[]): unknown {
  const plain = plainOf(shown.content);
  // A scalar or a list has no place for links.
  if (!isObject(plain)) return plain;
  const { _links: links, _embedded: embedded, ...members } = plain;
  const [own, nested] = partition(members);
  return {
    ...linksMember({ ...shown.links, ...(isObject(links) ? (links as Links) : {}) }),
    ...own,
    ...embeddedMember(shown, { ...(isObject(embedded) ? embedded : {}), ...nested, ...shown.embedded }, way),
  };
}

function collection(shown: HypermediaCollection, way: readonly Step[]): unknown {
  return {
    ...linksMember(shown.links),
    ...embeddedMember(shown, { [shown.name]: shown.items }, way),
    ...(shown.paging ?? { total_items: shown.items.length }),
  };
}

function linksMember(links: Links): Members {
  const entries = Object.entries(links);
  if (entries.length === 0) return {};
  return { _links: Object.fromEntries(entries.map(([relation, link]) => [relation, linkOf(link)])) };
}

function linkOf(link: Links[string]): unknown {
  return isList(link) ? link.map(linkObject) : linkObject(link);
}

function linkObject(link: string | Link): Link {
  return typeof link === 'string' ? { href: link } : link;
}

function embeddedMember(within: object, embedded: Members, way: readonly Step[]): Members {
  const entries = Object.entries(embedded).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return {};
  const show = (relation: string, value: unknown): unknown =>
    embed(value, [...way, { what: within, relation }]);
  return {
    _embedded: Object.fromEntries(
      entries.map(([relation, value]) => [
        relation,
        Array.isArray(value) ? value.map((one: unknown) => show(relation, one)) : show(relation, value),
      ]),
    ),
  };
}

function embed(content: unknown, way: readonly Step[]): unknown {
  const at = way.findIndex(({ what }) => what === content);
  if (at < 0) return show(content, way);
  const circle = way.slice(at).map(({ relation }) => relation);
  throw new TypeError(`What is embedded as ${circle.join(' → ')} embeds itself: give one of them as a link.`);
}

/** The members that are hypermedia are embedded. */
function partition(members: Members): [own: Members, nested: Members] {
  const nested = Object.entries(members).filter(([, value]) => isHypermedia(value));
  if (nested.length === 0) return [members, {}];
  const own = Object.entries(members).filter(([, value]) => !isHypermedia(value));
  return [Object.fromEntries(own), Object.fromEntries(nested)];
}

function isHypermedia(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isHypermedia);
  return value instanceof HypermediaEntity || value instanceof HypermediaCollection;
}

function isList(link: Links[string]): link is readonly (string | Link)[] {
  return Array.isArray(link);
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
