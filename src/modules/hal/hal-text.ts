import { escapeJson, type JsonWriter, type WriteJson } from '../../framework';
import { HypermediaCollection, HypermediaEntity, LinkedEntities } from '../content-negotiation';
import { isEmpty, linksOf } from './hal';

/**
 * Writes content as HAL without the document in between, as far as its entities can be written that way: without
 * embedded resources, and of a known schema.
 * @returns undefined for other content
 */
export function halText(content: unknown, writer: JsonWriter): string | undefined {
  if (content instanceof HypermediaEntity) return entityText(content, writer.write);
  if (!(content instanceof HypermediaCollection)) return undefined;
  const write = writer.items[content.paging === undefined ? '' : content.name];
  const items = write && itemsText(content, write);
  return items === undefined ? undefined : collectionText(content, items);
}

function entityText({ content, links, embedded }: HypermediaEntity, write: WriteJson): string | undefined {
  if (!isEmpty(embedded)) return undefined;
  const all = linksOf(links);
  return all === undefined ? write(content) : write(content, `{"_links":${JSON.stringify(all)}`, ',');
}

function collectionText(collection: HypermediaCollection, items: string): string {
  const { name, links, paging } = collection;
  const all = linksOf(links);
  const before = all === undefined ? '{' : `{"_links":${JSON.stringify(all)},`;
  const after = JSON.stringify(paging ?? { total_items: sizeOf(collection) }).slice(1);
  return `${before}"_embedded":{${JSON.stringify(name)}:[${items}]}${after === '}' ? '' : ','}${after}`;
}

/** The number of items, without creating those that are created when they are read. */
function sizeOf(collection: HypermediaCollection): number {
  return (collection instanceof LinkedEntities ? collection.entities : collection.items).length;
}

function itemsText(collection: HypermediaCollection, write: WriteJson): string | undefined {
  return collection instanceof LinkedEntities
    ? joined(collection.entities, (entity) => linkedText(collection, entity, write))
    : joined(collection.items, (item) =>
        item instanceof HypermediaEntity ? entityText(item, write) : undefined,
      );
}

function linkedText({ locate }: LinkedEntities, entity: object, write: WriteJson): string | undefined {
  const self = locate(entity);
  return self === undefined
    ? write(entity)
    : write(entity, `{"_links":{"self":{"href":"${escapeJson(self)}"}}`, ',');
}

/** Joins the texts of items by commas; undefined if one has none. */
function joined<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string | undefined,
): string | undefined {
  let all = '';
  for (const item of items) {
    const text = textOf(item);
    if (text === undefined) return undefined;
    all += all === '' ? text : `,${text}`;
  }
  return all;
}
