import type { Application } from '../../framework';
import { UsageError } from '../usage-error';
import { columns } from './columns';

/** A route as `routes --json` prints it. */
interface RouteView {
  /** The pattern with the base path, such as `/v1/notes[/:note_id]`. */
  readonly path: string;
  /** Names of the operations, by method. */
  readonly methods: Readonly<Record<string, string>>;
  readonly name: string;
}

/** @throws UsageError if no route contains the text */
export function listRoutes(
  { router }: Application,
  { text = '', json }: { readonly text?: string | undefined; readonly json: boolean },
): string {
  const all = router.routes.map(({ name, pattern, target }): RouteView => ({
    path: router.base + pattern.text,
    methods: Object.fromEntries(
      [...(target.methods?.endpoints ?? [])].map(([method, one]) => [method, one.name]),
    ),
    name,
  }));
  const found = all.filter(({ path, name }) => path.includes(text) || name.includes(text));
  if (found.length === 0 && text !== '')
    throw new UsageError(`No path and no name of the ${all.length} routes contains "${text}".`);
  if (json) return `${JSON.stringify(found, null, 2)}\n`;
  const rows = found.map(({ path, methods, name }) => [shown(Object.keys(methods)), path, name]);
  return columns(['METHODS', 'PATH', 'NAME'], rows);
}

/** HEAD is that of GET. */
function shown(methods: readonly string[]): string {
  return methods.filter((method) => method !== 'HEAD' || !methods.includes('GET')).join(',');
}
