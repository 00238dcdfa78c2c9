import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../documentation';
import { below, isObject, objectsOf, textOf, type JsonObject } from './json';
import type { Losses } from './losses';
import { importOperation, type ImportedOperation } from './operation';
import type { Tools } from './parameters';
import { routeOf, type Route } from './route';
import { METHODS, OTHER_METHODS } from './shapes';

/** A path with what is known of it. */
interface Entry {
  readonly path: string;
  readonly item: JsonObject;
  readonly route: Route;
  /** The first tag of its operations, or the first segment of the path. */
  readonly group: string;
}

/** Services as configuration has them: one for each path, named by its tag and what the path has beside it. */
export function importServices(document: JsonObject, tools: Tools): Readonly<Record<string, JsonObject>> {
  const entries = entriesOf(document, tools);
  const sizes = new Map<string, number>();
  for (const { group } of entries) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const services = new Map<string, JsonObject>();
  for (const entry of entries) {
    const service = serviceOf(entry, document, tools);
    if (service !== undefined) services.set(nameOf(entry, sizes.get(entry.group) === 1, services), service);
  }
  return Object.fromEntries(services);
}

function entriesOf(document: JsonObject, tools: Tools): readonly Entry[] {
  const { references, losses } = tools;
  const shapes = new Set<string>();
  return Object.entries(isObject(document.paths) ? document.paths : {}).flatMap(([path, value]): Entry[] => {
    if (path.startsWith('x-')) return [];
    const item = references.resolve(value);
    const pointer = below('#/paths', path);
    const route = routeOf(path, pointer, losses);
    const shape = path.replace(/\{[^}]*\}/g, '{}');
    if (route === undefined) return [];
    if (shapes.has(shape)) {
      losses.note('a path that another stands for already', pointer);
      return [];
    }
    shapes.add(shape);
    return [{ path, item, route, group: groupOf(path, item) }];
  });
}

function groupOf(path: string, item: JsonObject): string {
  const tags = METHODS.map((method) => item[method])
    .filter(isObject)
    .flatMap(({ tags: own }): unknown[] => (Array.isArray(own) ? own : []));
  const first = path.split('/').find((segment) => segment !== '' && !segment.startsWith('{'));
  return tags.find((tag) => typeof tag === 'string') ?? first ?? 'Path';
}

/** `Pets`, `PetsByPetId`, `PetsByPetIdToys`; the tag alone where it has no other path. */
function nameOf({ path, group }: Entry, alone: boolean, taken: ReadonlyMap<string, unknown>): string {
  const base = pascal(group) || 'Service';
  const segments = path.split('/').filter(Boolean);
  const rest = pascal(segments[0] ?? '') === base ? segments.slice(1) : segments;
  const words = rest.map((one) => (one.startsWith('{') ? `By${pascal(one)}` : pascal(one)));
  const wanted = alone ? base : base + words.join('');
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}${count}`;
  return name;
}

function pascal(text: string): string {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function serviceOf(
  { path, item, route, group }: Entry,
  document: JsonObject,
  tools: Tools,
): JsonObject | undefined {
  const pointer = below('#/paths', path);
  for (const method of OTHER_METHODS) {
    if (item[method] !== undefined) tools.losses.note(`the method ${method.toUpperCase()}`, pointer);
  }
  const methods = METHODS.flatMap((name) => {
    const operation = item[name];
    if (operation !== undefined && !isObject(operation))
      tools.losses.note('an operation that is no object', below(pointer, name));
    if (!isObject(operation)) return [];
    const method = name.toUpperCase();
    const imported = importOperation(method, item, operation, pointer, document.security, tools);
    return [{ method, ...imported }];
  });
  if (methods.length === 0) {
    tools.losses.note('a path without an operation', pointer);
    return undefined;
  }
  const described = inPath(methods, route, tools.losses);
  return {
    kind: 'rpc',
    description: textOf(item.description) || textOf(item.summary) || descriptionOfTag(document, group),
    route: route.route,
    parameters: Object.fromEntries(
      [...route.names].map(([name, own]) => [own, described.get(name) ?? { type: 'string' }]),
    ),
    accept: ['application/json'],
    methods: Object.fromEntries(methods.map(({ method, operation }) => [method, operation])),
  };
}

/** What is said of the parameters of a path, which is said of the path here and not of each method. */
function inPath(
  methods: readonly ImportedOperation[],
  { names }: Route,
  losses: Losses,
): ReadonlyMap<string, JsonSchema> {
  const described = new Map<string, JsonSchema>();
  for (const { name, schema, pointer } of methods.flatMap(({ pathParameters }) => pathParameters)) {
    const other = described.get(name);
    if (!names.has(name)) losses.note(`the parameter "${name}", which its path does not have`, pointer);
    else if (other === undefined) described.set(name, schema);
    else if (!isDeepStrictEqual(other, schema))
      losses.note('that a parameter of the path is described otherwise by another method', pointer);
  }
  return described;
}

function descriptionOfTag({ tags }: JsonObject, group: string): string {
  return textOf(objectsOf(tags).find(({ name }) => name === group)?.description);
}
