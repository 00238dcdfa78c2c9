import { Type, type TObject } from '@sinclair/typebox';
import { problem } from '../../framework';
import type { PageRequest } from './resource';

const DEFAULT_MAXIMUM = 100;

/** How a collection is paged. */
export interface Paging {
  readonly size: number;
  readonly maximum: number;
}

export function pagingOf(definition: {
  readonly page_size?: number;
  readonly max_page_size?: number;
}): Paging | undefined {
  const { page_size: size, max_page_size: maximum = DEFAULT_MAXIMUM } = definition;
  return size === undefined ? undefined : { size, maximum: Math.max(size, maximum) };
}

/** A query with the parameters of paging. */
export function withPaging(query: TObject, { size, maximum }: Paging): TObject {
  return Type.Object(
    {
      ...query.properties,
      page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'The page, from 1.' })),
      page_size: Type.Optional(
        Type.Integer({ minimum: 1, maximum, default: size, description: 'Entities on a page.' }),
      ),
    },
    { additionalProperties: false },
  );
}

/** The page that a validated query asks for. */
export function pageOf(query: Readonly<Record<string, unknown>>, paging: Paging | undefined): PageRequest {
  const page = typeof query.page === 'number' ? query.page : 1;
  const size = typeof query.page_size === 'number' ? query.page_size : paging?.size;
  const pageSize = size ?? Number.MAX_SAFE_INTEGER;
  return { page, pageSize, offset: paging === undefined ? 0 : (page - 1) * pageSize };
}

/**
 * How many pages there are; an empty collection has one, which is empty.
 * @throws Problem 404 when the page asked for is beyond the last
 */
export function pageCount(total: number, { page, pageSize }: PageRequest): number {
  const pages = Math.max(1, Math.ceil(total / pageSize));
  if (page > pages) throw problem('page_not_found', { page, pages });
  return pages;
}

/**
 * The `Link` field of a page (RFC 8288): first, prev, next and last, with the other parameters of the query.
 * @param path of the collection
 * @param query as it came
 */
export function linkField(path: string, query: URLSearchParams, page: number, pages: number): string {
  const link = (rel: string, to: number): string => {
    const target = new URLSearchParams(query);
    target.set('page', String(to));
    return `<${path}?${target.toString()}>; rel="${rel}"`;
  };
  return [
    link('first', 1),
    ...(page > 1 ? [link('prev', page - 1)] : []),
    ...(page < pages ? [link('next', page + 1)] : []),
    link('last', pages),
  ].join(', ');
}
