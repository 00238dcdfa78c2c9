import { didYouMean, formatColumns, type Application } from '../../framework';
import { listenersOf, type EventView } from '../../modules/admin';
import { UsageError } from '../usage-error';

/** @throws UsageError for an event without listeners */
export function listListeners(
  application: Application,
  { event, json }: { readonly event?: string | undefined; readonly json: boolean },
): string {
  const { application: own, view } = listenersOf(application);
  const all = [...own, ...view];
  const found = event === undefined ? all : all.filter(({ name }) => name === event);
  if (found.length === 0 && event !== undefined) {
    const names = all.map(({ name }) => name);
    throw new UsageError(
      `The event "${event}" has no listeners.${didYouMean(event, names)} Events with listeners: ${[...new Set(names)].join(', ')}.`,
    );
  }
  if (json) return `${JSON.stringify(found, null, 2)}\n`;
  return formatColumns(['EVENT', 'PRIORITY', 'LISTENER', 'MODULE', 'SOURCE'], found.flatMap(rowsOf));
}

function rowsOf({ name: event, of, listeners }: EventView): readonly (readonly string[])[] {
  return listeners.map(({ priority, name, module, source, isWildcard }) => [
    `${of === 'view' ? 'view ' : ''}${event}${isWildcard ? ' (*)' : ''}`,
    String(priority),
    name,
    module,
    source ?? '',
  ]);
}
