// Compiled with `strict` against types that openapi-typescript generated from the documents of the running server, then
// run against that server. A line with `@ts-expect-error` must not compile: the types would be too weak.
import createClient from 'openapi-fetch';
import type { paths as AtlasPaths } from './atlas.js';
import type { paths as FeaturePaths } from './every-feature.js';

const [origin = '', user = '', password = ''] = process.argv.slice(2);
const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const failures: string[] = [];

function expect(what: string, truth: boolean): void {
  if (!truth) failures.push(what);
}

const atlas = createClient<AtlasPaths>({ baseUrl: origin });

const germany = await atlas.GET('/v1/atlas/countries/{country_code}', {
  params: { path: { country_code: 'DE' } },
});
const name: string | undefined = germany.data?.name;
expect('shows a country', name === 'Germany');

const unknown = await atlas.GET('/v1/atlas/countries/{country_code}', {
  params: { path: { country_code: 'XX' } },
});
// A client that asks for HTML gets a page instead.
const detail: string | undefined = typeof unknown.error === 'object' ? unknown.error.detail : undefined;
expect('knows problems by their type', unknown.response.status === 404 && detail !== undefined);

const page = await atlas.GET('/v1/atlas/countries', { params: { query: { page: 2, page_size: 3 } } });
const total: number = page.data?.total_items ?? 0;
expect('lists a page', page.data?.countries.length === 3 && total > 200);

const guest = await atlas.GET('/v1/atlas/visits');
expect('is refused as a guest', guest.response.status === 401);

const headers = { authorization };
const noted = await atlas.POST('/v1/atlas/visits', { body: { country_code: 'FR', note: 'Bread' }, headers });
expect('creates', noted.response.status === 201 && noted.data?.note === 'Bread');
const params = { path: { visit_id: noted.data?.visit_id ?? '' } };
const changed = await atlas.PATCH('/v1/atlas/visits/{visit_id}', {
  params,
  body: { note: 'Cheese' },
  headers,
});
expect('changes', changed.data?.note === 'Cheese');
const gone = await atlas.DELETE('/v1/atlas/visits/{visit_id}', { params, headers });
expect('deletes', gone.response.status === 204);

const feature = createClient<FeaturePaths>({ baseUrl: origin });
const place = { author_id: 'carroll', book_id: '0' };
const book = await feature.GET('/v1/authors/{author_id}/books/{book_id}', { params: { path: place } });
const subtitle: string | null | undefined = book.data?.subtitle;
expect('reads null as null', subtitle === null && book.data?.tags.length === 0);
const replaced = await feature.PUT('/v1/authors/{author_id}/books/{book_id}', {
  params: { path: place },
  body: {
    title: 'Alice',
    subtitle: null,
    tags: [],
    chapters: [{ title: 'One', chapters: [{ title: 'Half', chapters: [] }] }],
  },
});
expect('sends what holds itself', replaced.data?.chapters?.[0]?.chapters[0]?.title === 'Half');

// Errors must not compile; these requests are not sent.
export const wrong = [
  // @ts-expect-error there is no such path
  () => atlas.GET('/v1/atlas/planets'),
  // @ts-expect-error countries are read only
  () => atlas.DELETE('/v1/atlas/countries/{country_code}', { params: { path: { country_code: 'DE' } } }),
  // @ts-expect-error a page is a number
  () => atlas.GET('/v1/atlas/countries', { params: { query: { page: 'two' } } }),
  // @ts-expect-error there is no such parameter
  () => atlas.GET('/v1/atlas/countries', { params: { query: { colour: 'red' } } }),
  // @ts-expect-error the country is required
  () => atlas.POST('/v1/atlas/visits', { body: { note: 'Bread' } }),
  // @ts-expect-error no such member
  () => germany.data?.colour,
];

console.log(JSON.stringify(failures));
