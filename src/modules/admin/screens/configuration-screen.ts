import { formatKeyPath, formatPointer, type KeyPath } from '../../../framework';
import type { AdminPage, PageContext, PageResult } from '../pages/admin-page';
import { pageOf } from '../pages/paging';
import type { AdminServices } from '../services';

/** The maximum number of values on a page. */
const PAGE_SIZE = 300;

/** The page of the effective configuration with a search; a large configuration is shown in parts. */
export function configurationScreen({ configuration }: AdminServices): readonly AdminPage[] {
  return [
    { name: 'configuration', pattern: '/configuration', GET: (context) => page(context, configuration) },
  ];
}

async function page(
  { show, query }: PageContext,
  configuration: AdminServices['configuration'],
): Promise<PageResult> {
  const text = query.get('search')?.trim() ?? '';
  const onlyChanged = query.get('changed') !== null;
  const pointer = query.get('at') ?? '';
  const at = configuration.pathTo(pointer);
  const view = { text, onlyChanged, at: pointer, place: formatKeyPath(at), enclosing: enclosing(at) };
  const isSearch = text !== '' || onlyChanged;
  if (!isSearch && (await configuration.count(at)) > PAGE_SIZE) {
    const { groups, values } = await configuration.members(at);
    const paging = pageOf(query, Math.max(groups.length, values.length), PAGE_SIZE);
    const slice = <Item>(all: readonly Item[]): readonly Item[] => all.slice(paging.from, paging.to);
    return show('configuration-parts', { ...view, groups: slice(groups), values: slice(values), paging });
  }
  const search = { text, onlyChanged, at, limit: PAGE_SIZE };
  const requestedOffset = pageOf(query, Infinity, PAGE_SIZE).from;
  const found = await configuration.find({ ...search, offset: requestedOffset });
  const paging = pageOf(query, found.count, PAGE_SIZE);
  const { sections, count } =
    paging.from === requestedOffset ? found : await configuration.find({ ...search, offset: paging.from });
  return show('configuration', { ...view, sections, count, paging });
}

/** Returns the parts that contain a path, outermost first. */
function enclosing(at: KeyPath): readonly { readonly key: string; readonly pointer: string }[] {
  return at
    .slice(0, -1)
    .map((key, depth) => ({ key: formatKeyPath([key]), pointer: formatPointer(at.slice(0, depth + 1)) }));
}
