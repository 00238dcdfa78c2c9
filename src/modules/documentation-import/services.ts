import { objectOf, type JsonObject, listOf, isObject } from '../../framework';
import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../documentation';
import { childPointer, objectsOf, textOf } from './document/json';
import type { ImportWarnings } from './import-warnings';
import { importOperation, type ImportedOperation } from './operation';
import type { ImportContext } from './parameters';
import { pathConstraintsOf, UNCONSTRAINED } from './path-constraints';
import { decodedPath, routeOf, type Route } from './route';
import { METHODS, OTHER_METHODS } from './document/shapes';

/** A path of the document. */
interface PathEntry {
  /** Decoded. */
  readonly path: string;
  readonly pointer: string;
  readonly item: JsonObject;
  readonly route: Route;
  /** The first tag of its operations, or the first segment of the path. */
  readonly group: string;
}

/**
 * Returns the configuration of services by name: one for each path, named by its tag and the rest of the path.
 * @param earlierNames the names of services that are replaced, by route: they are kept
 */
export function importServices(
  document: JsonObject,
  context: ImportContext,
  earlierNames: ReadonlyMap<string, string>,
): Readonly<Record<string, JsonObject>> {
  const entries = entriesOf(document, context);
  const sizes = new Map<string, number>();
  for (const { group } of entries) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const kept = new Set(entries.map(({ route }) => earlierNames.get(route.route)));
  const services = new Map<string, JsonObject>();
  const isTaken = (name: string): boolean => services.has(name) || kept.has(name);
  for (const entry of entries) {
    const service = serviceOf(entry, document, context);
    if (service === undefined) continue;
    const earlier = earlierNames.get(entry.route.route);
    services.set(earlier ?? nameOf(entry, sizes.get(entry.group) === 1, isTaken), service);
  }
  warnAboutTags(document, [...services.values()], context.warnings);
  return Object.fromEntries(services);
}

function entriesOf(document: JsonObject, context: ImportContext): readonly PathEntry[] {
  const { references, warnings } = context;
  const paths = Object.entries(objectOf(document.paths)).filter(([name]) => !name.startsWith('x-'));
  const counts = new Map<string, number>();
  for (const [name] of paths) {
    const shape = shapeOf(decodedPath(name));
    counts.set(shape, (counts.get(shape) ?? 0) + 1);
  }
  const shapes = new Set<string>();
  return paths.flatMap(([name, value]): PathEntry[] => {
    const item = references.resolve(value);
    const pointer = childPointer('#/paths', name);
    const path = decodedPath(name);
    const isAlone = counts.get(shapeOf(path)) === 1;
    const constraints = isAlone ? UNCONSTRAINED : pathConstraintsOf(path, item, references);
    const route = routeOf(path, pointer, warnings, constraints);
    const shape = shapeOf(path, constraints);
    if (route === undefined) return [];
    if (shapes.has(shape)) {
      warnings.add('duplicate path', pointer);
      return [];
    }
    shapes.add(shape);
    return [{ path, pointer, item, route, group: groupOf(path, item) }];
  });
}

/** Returns a path without the names of its parameters, by which routes do not differ. */
function shapeOf(path: string, constraints = UNCONSTRAINED): string {
  return path.replace(/\{([^}]*)\}/g, (_, name: string) => `{${constraints.get(name) ?? ''}}`);
}

function groupOf(path: string, item: JsonObject): string {
  const [tag] = tagsOfPath(item);
  const first = path.split('/').find((segment) => segment !== '' && !segment.startsWith('{'));
  return tag ?? first ?? 'Path';
}

/** Returns the distinct tags of an operation. */
function tagsOf(operation: unknown): readonly string[] {
  const tags = listOf(objectOf(operation).tags);
  return [...new Set(tags.filter((tag) => typeof tag === 'string' && tag !== ''))] as readonly string[];
}

/** Returns the tags of the first tagged operation: a service has one list of tags. */
function tagsOfPath(item: JsonObject): readonly string[] {
  return METHODS.map((method) => tagsOf(item[method])).find((tags) => tags.length > 0) ?? [];
}

/** Returns the name of a service: `Pets`, `PetsByPetId`, `PetsByPetIdToys`; the tag alone if it has a single path. */
function nameOf({ path, group }: PathEntry, alone: boolean, isTaken: (name: string) => boolean): string {
  const base = pascal(group) || 'Service';
  const segments = path.split('/').filter(Boolean);
  const rest = pascal(segments[0] ?? '') === base ? segments.slice(1) : segments;
  const words = rest.map((one) => (one.startsWith('{') ? `By${pascal(one)}` : pascal(one)));
  const proposed = alone ? base : base + words.join('');
  let name = proposed;
  for (let count = 2; isTaken(name); count += 1) name = `${proposed}${count}`;
  return name;
}

function pascal(text: string): string {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function serviceOf(
  { pointer, item, route, group }: PathEntry,
  document: JsonObject,
  context: ImportContext,
): JsonObject | undefined {
  const tags = tagsOfPath(item);
  for (const method of OTHER_METHODS) {
    if (item[method] !== undefined) context.warnings.add(`method ${method.toUpperCase()}`, pointer);
  }
  const methods = METHODS.flatMap((name) => {
    const operation = item[name];
    if (operation !== undefined && !isObject(operation))
      context.warnings.add('operation is not an object', childPointer(pointer, name));
    if (!isObject(operation)) return [];
    const method = name.toUpperCase();
    const imported = importOperation(method, item, operation, pointer, document.security, context);
    const own = tagsOf(operation);
    const isTagged = own.length > 0 && !isDeepStrictEqual(own, tags);
    if (own.length < Math.min(1, tags.length))
      context.warnings.add(
        `operation without tags (its path has ${tags.join(', ')})`,
        childPointer(pointer, name),
      );
    return [
      {
        method,
        ...imported,
        operation: isTagged ? { tags: own, ...imported.operation } : imported.operation,
      },
    ];
  });
  if (methods.length === 0) {
    context.warnings.add('path without operations', pointer);
    return undefined;
  }
  if (textOf(item.description) !== '' && textOf(item.summary) !== '')
    context.warnings.add('summary of a path (it has a description)', childPointer(pointer, 'summary'));
  const described = pathParameterSchemas(methods, route, context.warnings);
  return {
    kind: 'rpc',
    description: textOf(item.description) || textOf(item.summary) || descriptionOfTag(document, group),
    ...(tags.length === 0 ? {} : { tags }),
    route: route.route,
    parameters: Object.fromEntries(
      [...route.names].map(([name, own]) => [own, described.get(name) ?? { type: 'string' }]),
    ),
    accept: ['application/json'],
    methods: Object.fromEntries(methods.map(({ method, operation }) => [method, operation])),
  };
}

/** Returns the schemas of path parameters by name. A service declares them once for all its methods. */
function pathParameterSchemas(
  methods: readonly ImportedOperation[],
  { names }: Route,
  warnings: ImportWarnings,
): ReadonlyMap<string, JsonSchema> {
  const described = new Map<string, JsonSchema>();
  for (const { name, schema, pointer } of methods.flatMap(({ pathParameters }) => pathParameters)) {
    const other = described.get(name);
    if (!names.has(name)) warnings.add(`parameter "${name}" is not in the path`, pointer);
    else if (other === undefined) described.set(name, schema);
    else if (!isDeepStrictEqual(other, schema))
      warnings.add('different description of a path parameter in another method', pointer);
  }
  return described;
}

/** Returns the tags of a service and its operations. */
function allTags({ tags, methods }: JsonObject): readonly unknown[] {
  return [...listOf(tags), ...Object.values(objectOf(methods)).flatMap((one) => listOf(objectOf(one).tags))];
}

/** Warns about tags and tag descriptions that no service uses. */
function warnAboutTags(
  { tags }: JsonObject,
  services: readonly JsonObject[],
  warnings: ImportWarnings,
): void {
  for (const [at, tag] of listOf(tags).entries()) {
    if (!isObject(tag) || typeof tag.name !== 'string') continue;
    const { name, description } = tag;
    const tagged = services.filter((one) => allTags(one).includes(name));
    if (tagged.length === 0) warnings.add('unused tag', childPointer('#/tags', at));
    else if (textOf(description) !== '' && !tagged.some((one) => one.description === description))
      warnings.add(
        'description of a tag (its services have descriptions of their own)',
        childPointer(childPointer('#/tags', at), 'description'),
      );
  }
}

function descriptionOfTag({ tags }: JsonObject, group: string): string {
  return textOf(objectsOf(tags).find(({ name }) => name === group)?.description);
}
