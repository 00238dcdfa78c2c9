import {
  HalJsonModel,
  HypermediaCollection,
  HypermediaEntity,
  JsonModel,
  Problem,
  type Links,
} from '../../../src/platform';
import { JsonRenderer } from '../../../src/framework';

const render = (model: JsonModel): unknown => JSON.parse(new JsonRenderer().render(model));
const hal = (content: unknown): unknown => render(new HalJsonModel(content));
const json = (content: unknown): unknown => render(new JsonModel(content));

const author = new HypermediaEntity({ name: 'Ann' }, { links: { self: '/authors/7' } });
const book = new HypermediaEntity(
  { title: 'Tea', author },
  {
    links: {
      self: '/books/1',
      search: { href: '/books{?q}', templated: true },
      shelf: ['/shelves/1', { href: '/shelves/2', title: 'Old ones' }],
    },
    embedded: { reviews: [new HypermediaEntity({ stars: 5 })], summary: { text: 'Good.' } },
  },
);

describe('an entity', () => {
  it('has links and embedded resources in HAL', () => {
    expect(hal(book)).toEqual({
      _links: {
        self: { href: '/books/1' },
        search: { href: '/books{?q}', templated: true },
        shelf: [{ href: '/shelves/1' }, { href: '/shelves/2', title: 'Old ones' }],
      },
      title: 'Tea',
      _embedded: {
        author: { _links: { self: { href: '/authors/7' } }, name: 'Ann' },
        reviews: [{ stars: 5 }],
        summary: { text: 'Good.' },
      },
    });
  });

  it('is its content with the embedded resources among its members in JSON', () => {
    expect(json(book)).toEqual({
      title: 'Tea',
      author: { name: 'Ann' },
      reviews: [{ stars: 5 }],
      summary: { text: 'Good.' },
    });
    expect(json({ books: [book] })).toMatchObject({ books: [{ title: 'Tea' }] });
  });

  it('has links to addresses of the class URL', () => {
    const links = { up: new URL('https://example.com/a?b'), all: [new URL('https://example.com/c')] };
    expect(hal(new HypermediaEntity({}, { links }))).toEqual({
      _links: { up: { href: 'https://example.com/a?b' }, all: [{ href: 'https://example.com/c' }] },
    });
  });

  it('has no links that are null, undefined or without href, as JavaScript may return them', () => {
    const links = { self: '/a', next: null, last: undefined, up: { title: 'Up' } } as unknown as Links;
    expect(hal(new HypermediaEntity({ a: 1 }, { links }))).toEqual({
      _links: { self: { href: '/a' } },
      a: 1,
    });
    const some = { next: [null, '/b', { href: null }] } as unknown as Links;
    expect(hal(new HypermediaEntity({ a: 1 }, { links: some }))).toEqual({
      _links: { next: [{ href: '/b' }] },
      a: 1,
    });
    const none = { next: null } as unknown as Links;
    expect(hal(new HypermediaEntity({ a: 1 }, { links: none }))).toEqual({ a: 1 });
  });

  it('has no null in a list of links', () => {
    const links = { all: [null, '/a', undefined], none: [null], empty: [] } as unknown as Links;
    expect(hal(new HypermediaEntity({}, { links }))).toEqual({
      _links: { all: [{ href: '/a' }], none: [], empty: [] },
    });
  });

  it('has no embedded resources that are null or undefined, as JavaScript may return them', () => {
    const embedded = { next: null, last: undefined, all: [{ b: 2 }] };
    expect(hal(new HypermediaEntity({ a: 1 }, { embedded }))).toEqual({
      a: 1,
      _embedded: { all: [{ b: 2 }] },
    });
    expect(hal(new HypermediaEntity({ a: 1 }, { embedded: { next: null } }))).toEqual({ a: 1 });
    expect(json(new HypermediaEntity({ a: 1 }, { embedded: { next: null } }))).toEqual({ a: 1, next: null });
  });

  it('keeps the links of its content', () => {
    const content = { _links: { self: { href: '/mine' } }, _embedded: { a: 1 }, title: 'Tea' };
    const entity = new HypermediaEntity(content, { links: { self: '/theirs', up: '/' } });
    expect(hal(entity)).toEqual({
      _links: { self: { href: '/mine' }, up: { href: '/' } },
      title: 'Tea',
      _embedded: { a: 1 },
    });
  });

  it('is serialized by its toJSON', () => {
    const content = { toJSON: () => ({ toJSON: () => ({ title: 'Tea' }) }) };
    expect(hal(new HypermediaEntity(content, { links: { self: '/a' } }))).toEqual({
      _links: { self: { href: '/a' } },
      title: 'Tea',
    });
  });

  it.each([[null], [3], ['text'], [[1, 2]]])('of %j has no links', (content) => {
    expect(hal(new HypermediaEntity(content, { links: { self: '/a' } }))).toEqual(content);
    expect(json(new HypermediaEntity(content))).toEqual(content);
  });

  it('that embeds itself is an error with the path', () => {
    const embedded: Record<string, unknown> = {};
    const first = new HypermediaEntity({}, { embedded });
    embedded.next = new HypermediaEntity({}, { embedded: { previous: [first] } });
    expect(() => hal(first)).toThrow('The resource embedded as next → previous embeds itself');
  });

  it('may be embedded twice', () => {
    const twice = new HypermediaEntity({}, { embedded: { a: author, b: author } });
    expect(hal(twice)).toMatchObject({ _embedded: { a: { name: 'Ann' }, b: { name: 'Ann' } } });
  });
});

describe('a collection', () => {
  const items = [author];
  const paging = { page: 1, page_size: 1, page_count: 1, total_items: 1 };

  it('embeds its items, and has its paging members', () => {
    const links = { self: '/authors' };
    expect(hal(new HypermediaCollection(items, { name: 'authors', links, paging }))).toEqual({
      _links: { self: { href: '/authors' } },
      _embedded: { authors: [{ _links: { self: { href: '/authors/7' } }, name: 'Ann' }] },
      ...paging,
    });
    expect(hal(new HypermediaCollection(items))).toMatchObject({
      _embedded: { items: [{}] },
      total_items: 1,
    });
  });

  it('is a list in JSON, or an object with its paging members', () => {
    expect(json(new HypermediaCollection(items))).toEqual([{ name: 'Ann' }]);
    expect(json(new HypermediaCollection(items, { name: 'authors', paging }))).toEqual({
      authors: [{ name: 'Ann' }],
      ...paging,
    });
  });
});

describe('anything else', () => {
  it('is the same in HAL and JSON', () => {
    for (const content of [null, 1, 'a', [1], { a: { b: 1 } }]) expect(hal(content)).toEqual(json(content));
  });

  it('that is a problem remains one', () => {
    const model = new HalJsonModel(new Problem(409, 'Sold.'), { mediaType: 'application/hal+json' });
    expect(model.mediaType).toBe('application/problem+json');
    expect(render(model)).toMatchObject({ status: 409, detail: 'Sold.' });
  });
});
