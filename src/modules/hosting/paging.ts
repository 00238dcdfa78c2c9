import { Type, type TObject, type TProperties, type TSchema } from '@sinclair/typebox';
import { problem, StartError } from '../../framework';
import { assertFree } from './free-names';
import type { PageRequest } from './resource';

const DEFAULT_MAXIMUM = 100;

/** How a collection is paged. */
export interface Paging {
  readonly size: number;
  readonly maximum: number;
  /** Whether clients go on from a cursor, and not to a page by its number. */
  readonly byCursor: boolean;
}

/**
 * How the collection of a service is paged; undefined where it is not.
 * @param where names the service, for the message
 * @throws StartError for sizes that no page has
 */
export function pagingOf(
  definition: {
    readonly page_size?: number;
    readonly max_page_size?: number;
    readonly cursor?: TSchema;
  },
  where: string,
): Paging | undefined {
  const { page_size: size, max_page_size: most, cursor } = definition;
  if (size === undefined) return undefined;
  assertSize('page_size', size, where);
  if (most === undefined)
    return { size, maximum: Math.max(size, DEFAULT_MAXIMUM), byCursor: cursor !== undefined };
  assertSize('max_page_size', most, where);
  if (most < size) {
    throw new StartError(
      `${where}: max_page_size is ${most}, less than the page_size of ${size}. Write ${size} or more.`,
    );
  }
  return { size, maximum: most, byCursor: cursor !== undefined };
}

function assertSize(key: string, size: number, where: string): void {
  if (Number.isSafeInteger(size) && size > 0) return;
  throw new StartError(
    `${where}: ${key} is ${size}. Write how many entities a page has, a whole number from 1.`,
  );
}

/**
 * A query with the parameters of paging.
 * @param where names the operation, for the message
 * @throws StartError where it has a parameter of that name: one would stand for two things
 */
export function withPaging(query: TObject, { size, maximum, byCursor }: Paging, where: string): TObject {
  const names = [byCursor ? 'cursor' : 'page', 'page_size'];
  assertFree(query, names, where, 'says which page is meant here, as the service has a "page_size"');
  const parameter: TProperties = byCursor
    ? {
        cursor: Type.Optional(
          Type.String({ minLength: 1, description: 'Where to go on, from the last answer.' }),
        ),
      }
    : { page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'The page, from 1.' })) };
  const pageSize = Type.Integer({ minimum: 1, maximum, default: size, description: 'Entities on a page.' });
  return { ...query, properties: { ...query.properties, ...parameter, page_size: pageSize } };
}

/** Where nothing is paged, parameters of these names are the author's own. */
const EVERYTHING: PageRequest = Object.freeze({ page: 1, pageSize: Number.MAX_SAFE_INTEGER, offset: 0 });

/** The page that a validated query asks for. */
export function pageOf(query: Readonly<Record<string, unknown>>, paging: Paging | undefined): PageRequest {
  if (paging === undefined) return EVERYTHING;
  const page = typeof query.page === 'number' && !paging.byCursor ? query.page : 1;
  const pageSize = typeof query.page_size === 'number' ? query.page_size : paging.size;
  return { page, pageSize, offset: (page - 1) * pageSize };
}

/**
 * How many pages there are; an empty collection has one, which is empty.
 * @throws Problem 409 when the page asked for is beyond the last
 */
export function pageCount(total: number, { page, pageSize }: PageRequest): number {
  const pages = Math.max(1, Math.ceil(total / pageSize));
  if (page > pages) throw problem('page_not_found', { page, pages });
  return pages;
}
