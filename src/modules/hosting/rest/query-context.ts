import { objectOf, type MvcEvent } from '../../../framework';
import { failedValidation, type ValidationError } from '../../content-validation';
import type { PageRequest } from '../definition/resource';
import { decodeCursor, FOREIGN_CURSOR, listKeyOfBody } from './cursor';
import { pageOf } from './paging';
import { RestHandlerContext, type ListHandlerContext, type RestServiceContext } from './rest-service-context';
import { sortKey, type SortKey } from './sort';

/** The context of `queryAll`: page, order and cursor are in the body. */
export class QueryHandlerContext extends RestHandlerContext implements ListHandlerContext {
  readonly resourceMethod = 'queryAll';
  readonly page: PageRequest;
  readonly sort: readonly SortKey[];
  readonly cursor: unknown;
  readonly urlQuery = undefined;

  /** @throws Problem 422 for an invalid cursor or order, or a page that is too far */
  constructor(event: MvcEvent, serviceContext: RestServiceContext) {
    super(event, serviceContext);
    const { cursorValidator: check, paging } = serviceContext;
    const { sort, cursor } = this.body;
    this.page = pageOf(this.body, paging);
    if (!Number.isSafeInteger(this.page.offset + this.page.pageSize))
      throw failedValidation([invalid('/page', 'maximum', 'is too large')]);
    // Validated as a list of texts. A name may have commas.
    this.sort = Array.isArray(sort) ? (sort as readonly string[]).map(sortKey) : [];
    const repeated = this.sort.findIndex(
      ({ name }, at) => this.sort.findIndex((one) => one.name === name) < at,
    );
    if (repeated >= 0) throw failedValidation([invalid(`/sort/${repeated}`, 'x-sort-by', 'is repeated')]);
    if (check === undefined || typeof cursor !== 'string') return;
    const decoded = decodeCursor(cursor, this.listKey, check);
    if (decoded === undefined) throw failedValidation([invalid('/cursor', 'cursor', FOREIGN_CURSOR)]);
    this.cursor = decoded.value;
  }

  /** Validated as an object. */
  override get body(): Readonly<Record<string, unknown>> {
    return objectOf(super.body);
  }

  get listKey(): string {
    return listKeyOfBody(this.body, this.event.parameters);
  }
}

function invalid(pointer: string, keyword: string, message: string): ValidationError {
  return { pointer, keyword, message };
}
