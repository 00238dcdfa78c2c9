import { Type, type TObject, type TProperties, type TSchema } from '@sinclair/typebox';
import { problem, ConfigurationError } from '../../../framework';
import { assertNotReserved } from '../definition/checks/reserved-names';
import type { PageRequest } from '../definition/resource';

const DEFAULT_MAXIMUM = 100;

/** The pagination settings of a collection. */
export interface Paging {
  readonly size: number;
  readonly maximum: number;
  /** Whether clients navigate by cursor instead of page number. */
  readonly byCursor: boolean;
}

/**
 * Returns the pagination settings of a service; undefined if it is not paged.
 * @param where service name, for the message
 * @throws ConfigurationError for an invalid page size
 */
export function pagingOf(
  definition: {
    readonly page_size?: number;
    readonly max_page_size?: number;
    readonly cursor?: TSchema;
  },
  where: string,
): Paging | undefined {
  const { page_size: size, max_page_size: maximum, cursor } = definition;
  if (size === undefined) return undefined;
  assertSize('page_size', size, where);
  if (maximum === undefined)
    return { size, maximum: Math.max(size, DEFAULT_MAXIMUM), byCursor: cursor !== undefined };
  assertSize('max_page_size', maximum, where);
  if (maximum < size) {
    throw new ConfigurationError(
      `${where}: max_page_size is ${maximum}, less than the page_size of ${size}. Write ${size} or more.`,
    );
  }
  return { size, maximum: maximum, byCursor: cursor !== undefined };
}

function assertSize(key: string, size: number, where: string): void {
  if (Number.isSafeInteger(size) && size > 0) return;
  throw new ConfigurationError(
    `${where}: ${key} is ${size}. Write the number of entities per page, an integer from 1.`,
  );
}

/** The schemas of the parameters of pages. */
export function pagingParameters({ size, maximum, byCursor }: Paging): TProperties {
  const position: TProperties = byCursor
    ? {
        cursor: Type.Optional(
          Type.String({ minLength: 1, description: 'The cursor from the previous response.' }),
        ),
      }
    : { page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'Page number, from 1.' })) };
  const pageSize = Type.Integer({ minimum: 1, maximum, default: size, description: 'Entities per page.' });
  return { ...position, page_size: Type.Optional(pageSize) };
}

/**
 * Adds the pagination parameters to a query schema.
 * @param where operation name, for the message
 * @throws ConfigurationError if the query declares a parameter of that name
 */
export function withPaging(query: TObject, paging: Paging, where: string): TObject {
  const added = pagingParameters(paging);
  const meaning = 'is reserved for pagination, as the service has a "page_size"';
  assertNotReserved(query, Object.keys(added), where, meaning);
  return { ...query, properties: { ...query.properties, ...added } };
}

/** Without pagination, parameters of these names belong to the author. */
const ALL: PageRequest = Object.freeze({ page: 1, pageSize: Number.MAX_SAFE_INTEGER, offset: 0 });

/** Returns the page that a validated query requests. */
export function pageOf(query: Readonly<Record<string, unknown>>, paging: Paging | undefined): PageRequest {
  if (paging === undefined) return ALL;
  const page = typeof query.page === 'number' && !paging.byCursor ? query.page : 1;
  const pageSize = typeof query.page_size === 'number' ? query.page_size : paging.size;
  return { page, pageSize, offset: (page - 1) * pageSize };
}

/**
 * Returns the number of pages; an empty collection has one empty page.
 * @throws Problem 409 for a page after the last
 */
export function pageCount(total: number, { page, pageSize }: PageRequest): number {
  const pages = Math.max(1, Math.ceil(total / pageSize));
  if (page > pages) throw problem('page_not_found', { page, pages });
  return pages;
}
