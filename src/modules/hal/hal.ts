import {
  HypermediaCollection,
  HypermediaEntity,
  toPlain,
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
  const plain = toPlain(shown.content);
  // A scalar or a list has no place for links.
  if (!isObject(plain)) return plain;
  if (!isEmpty(shown.embedded) || !isSimple(plain)) return assembled(shown, plain, way);
  // Collections have many of these: one literal costs a quarter of what copying member by member does.
  const links = linksOf(shown.links);
  return links === undefined ? plain : { _links: links, ...plain };
}

/** Whether there is nothing among an entity's members that HAL has a place of its own for. */
function isSimple(plain: Members): boolean {
  for (const name in plain) {
    if (name === '_links' || name === '_embedded') return false;
    const value = plain[name];
    if (typeof value === 'object' && isHypermedia(value)) return false;
  }
  return true;
}

function assembled(shown: HypermediaEntity, plain: Members, way: readonly Step[]): unknown {
  const made: Record<string, unknown> = {};
  const given = plain._links;
  addLinks(made, isObject(given) ? { ...shown.links, ...(given as Links) } : shown.links);
  let nested: Record<string, unknown> | undefined;
  for (const name of Object.keys(plain)) {
    if (name === '_links' || name === '_embedded') continue;
    const value = plain[name];
    if (isHypermedia(value)) set((nested ??= {}), name, value);
    else set(made, name, value);
  }
  const { _embedded: embedded } = plain;
  const all =
    nested === undefined && !isObject(embedded)
      ? shown.embedded
      : { ...(isObject(embedded) ? embedded : {}), ...nested, ...shown.embedded };
  addEmbedded(made, shown, all, way);
  return made;
}

function collection(shown: HypermediaCollection, way: readonly Step[]): unknown {
  const made: Record<string, unknown> = {};
  addLinks(made, shown.links);
  addEmbedded(made, shown, { [shown.name]: shown.items }, way);
  const { paging } = shown;
  if (paging === undefined) made.total_items = shown.items.length;
  else for (const name of Object.keys(paging)) set(made, name, paging[name]);
  return made;
}

/** A member called `__proto__` is one like others: assigning it would change what the object is. */
function set(made: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true });
  else made[name] = value;
}

function addLinks(made: Record<string, unknown>, links: Links): void {
  const shown = linksOf(links);
  if (shown !== undefined) made._links = shown;
}

/** Undefined for no links at all. */
function linksOf(links: Links): Members | undefined {
  let shown: Record<string, unknown> | undefined;
  for (const relation in links) {
    const link = links[relation];
    if (link !== undefined) set((shown ??= {}), relation, linkOf(link));
  }
  return shown;
}

function linkOf(link: Links[string]): unknown {
  return isList(link) ? link.map(linkObject) : linkObject(link);
}

function linkObject(link: string | Link): Link {
  return typeof link === 'string' ? { href: link } : link;
}

function addEmbedded(
  made: Record<string, unknown>,
  within: object,
  embedded: Members,
  way: readonly Step[],
): void {
  let shown: Record<string, unknown> | undefined;
  for (const relation of Object.keys(embedded)) {
    const value = embedded[relation];
    if (value === undefined) continue;
    const further = [...way, { what: within, relation }];
    const all = Array.isArray(value) ? value.map((one) => embed(one, further)) : embed(value, further);
    set((shown ??= {}), relation, all);
  }
  if (shown !== undefined) made._embedded = shown;
}

function embed(content: unknown, way: readonly Step[]): unknown {
  let at = way.length - 1;
  while (at >= 0 && way[at]?.what !== content) at--;
  if (at < 0) return show(content, way);
  const circle = way.slice(at).map(({ relation }) => relation);
  throw new TypeError(`What is embedded as ${circle.join(' → ')} embeds itself: give one of them as a link.`);
}

function isEmpty(embedded: Members): boolean {
  for (const relation in embedded) if (embedded[relation] !== undefined) return false;
  return true;
}

function isHypermedia(value: unknown): boolean {
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.length > 0 && value.every(isHypermedia);
  return value instanceof HypermediaEntity || value instanceof HypermediaCollection;
}

function isList(link: Links[string]): link is readonly (string | Link)[] {
  return Array.isArray(link);
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
