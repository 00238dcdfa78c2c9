// A catalog of 1,000 items: one item at a price for a quantity, and pages of items by maker, sorted.

/** The parameters of an item's price: by number of declared parameters. */
export const quoteFields = {
  1: { quantity: { type: 'integer', minimum: 1, maximum: 1000, description: 'Pieces.' } },
  4: {
    quantity: { type: 'integer', minimum: 1, maximum: 1000, description: 'Pieces.' },
    currency: { type: 'string', enum: ['EUR', 'USD', 'GBP'], description: 'Currency.' },
    discount: { type: 'number', minimum: 0, maximum: 1, description: 'Share of the price.' },
    gift: { type: 'boolean', description: 'Whether to wrap it.' },
  },
};

/** The query of a request with as many parameters. */
export const quoteQueries = { 1: 'quantity=3', 4: 'quantity=3&currency=USD&discount=0.25&gift=true' };

/** The JSON Schema of a price. */
export const priceFields = {
  type: 'object',
  properties: {
    item_id: { type: 'string', description: 'Assigned by the server.' },
    name: { type: 'string', description: 'Display name.' },
    currency: { type: 'string', description: 'Currency.' },
    total: { type: 'number', description: 'Price of all pieces.' },
    gift: { type: 'boolean', description: 'Whether it is wrapped.' },
  },
  required: ['item_id', 'name', 'currency', 'total', 'gift'],
};

/** @param {string} id @param {{ quantity: number, currency?: string, discount?: number, gift?: boolean }} query typed */
export function priceOf(id, { quantity, currency = 'EUR', discount = 0, gift = false }) {
  return { item_id: id, name: 'Globe', currency, total: quantity * 49 * (1 - discount), gift };
}

/** The JSON Schema of an item in a page. */
export const itemFields = {
  type: 'object',
  properties: {
    item_id: { type: 'string', description: 'Assigned by the server.' },
    name: { type: 'string', description: 'Display name.' },
    maker: { type: 'string', description: 'Name of the maker.' },
    price: { type: 'number', description: 'In euros.' },
    in_stock: { type: 'boolean', description: 'Whether it ships today.' },
  },
  required: ['item_id', 'name', 'maker', 'price', 'in_stock'],
};

export const pageSize = 25;
export const makers = ['acme', 'globex', 'initech', 'umbrella'];
export const sortNames = ['price', 'name'];

const items = Array.from({ length: 1000 }, (_, at) => ({
  item_id: `item-${at}`,
  name: `Globe ${(at * 7919) % 1000}`,
  maker: makers[at % makers.length],
  price: ((at * 104_729) % 10_000) / 100,
  in_stock: at % 3 > 0,
}));

const compare = (a, b) => (a < b ? -1 : Number(a > b));

/** Every order of each maker's items, as a store would keep its indexes. */
const sorted = new Map(
  makers.flatMap((maker) =>
    sortNames.flatMap((name) => {
      const own = items.filter((item) => item.maker === maker).sort((a, b) => compare(a[name], b[name]));
      return [
        [`${maker} ${name}`, own],
        [`${maker} -${name}`, [...own].reverse()],
      ];
    }),
  ),
);

/** New objects for every request, like those of a store. @param {string} maker @param {string} sort e.g. `-price` */
export function pageOf(maker, sort, page) {
  const all = sorted.get(`${maker} ${sort}`);
  const offset = (page - 1) * pageSize;
  const found = [];
  for (let at = offset; at < Math.min(all.length, offset + pageSize); at++) {
    const { item_id, name, maker: madeBy, price, in_stock } = all[at];
    found.push({ item_id, name, maker: madeBy, price, in_stock });
  }
  return { items: found, total: all.length };
}

/** The body of a page. */
export function pageBody({ items: found, total }, page) {
  return {
    items: found,
    page,
    page_size: pageSize,
    page_count: Math.max(1, Math.ceil(total / pageSize)),
    total_items: total,
  };
}

/** `Link` of a page (RFC 8288), in the middle of its collection or not. @param {string} path @param {string} query without page */
export function pageLinks(path, query, page, pages) {
  const links = [`<${path}?${query}>; rel="first"`];
  if (page > 1) links.push(`<${path}?${query}&page=${page - 1}>; rel="prev"`);
  if (page < pages) links.push(`<${path}?${query}&page=${page + 1}>; rel="next"`);
  links.push(`<${path}?${query}&page=${pages}>; rel="last"`);
  return links.join(', ');
}
