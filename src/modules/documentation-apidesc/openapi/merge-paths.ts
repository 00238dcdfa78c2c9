import { isObject, type JsonObject } from '../../../framework';
import type { PathItems } from './path-items';

/** The path items of a service. */
export interface ServicePaths {
  readonly route: string;
  readonly paths: PathItems;
}

/**
 * Merges path items: services may share a path with different methods. Routes that differ in the constraints of their
 * parameters only have the same path, which OpenAPI cannot tell apart: that of the later service has another name of its
 * last parameter, so that its operations can be called.
 */
export function mergePaths(all: readonly ServicePaths[]): PathItems {
  const merged = new Map<string, { readonly route: string; readonly item: JsonObject }>();
  for (const { route, paths } of all) {
    for (const [path, item] of Object.entries(paths)) {
      const known = merged.get(path);
      const isTaken = known !== undefined && known.route !== route && sharesMethod(known.item, item);
      const [own, described] = isTaken ? withOtherName(path, item, merged) : [path, item];
      const before = merged.get(own);
      merged.set(own, { route: before?.route ?? route, item: { ...described, ...before?.item } });
    }
  }
  return Object.fromEntries([...merged].map(([path, { item }]) => [path, item]));
}

function sharesMethod(one: JsonObject, other: JsonObject): boolean {
  return Object.entries(other).some(([method, operation]) => isObject(operation) && isObject(one[method]));
}

const LAST_PARAMETER = /\{([^}]+)\}(?=[^{]*$)/;

function withOtherName(
  path: string,
  item: JsonObject,
  taken: ReadonlyMap<string, unknown>,
): readonly [path: string, item: JsonObject] {
  const [, name] = LAST_PARAMETER.exec(path) ?? [];
  if (name === undefined) return [path, item];
  for (let number = 2; ; number++) {
    const other = `${name}_${number}`;
    const own = path.replace(LAST_PARAMETER, `{${other}}`);
    if (taken.has(own) || path.includes(`{${other}}`)) continue;
    const operations = Object.entries(item).map(([method, one]) => [method, withParameter(one, name, other)]);
    return [own, Object.fromEntries(operations) as JsonObject];
  }
}

/** Renames a path parameter of an Operation Object. */
function withParameter(operation: unknown, name: string, other: string): unknown {
  if (!isObject(operation) || !Array.isArray(operation.parameters)) return operation;
  const parameters = (operation.parameters as readonly unknown[]).map((one) =>
    isObject(one) && one.in === 'path' && one.name === name ? { ...one, name: other } : one,
  );
  return { ...operation, parameters };
}
