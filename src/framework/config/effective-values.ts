import type { JsonNode, JsonPositions } from '../json/json-positions';
import type { SectionSchemas } from '../json-schema/schema-tree';
import {
  isObject,
  valueAt,
  type ConfigObject,
  type ConfigValue,
  type KeyPath,
} from '../values/config-object';
import { isSecret, memberAnnotations, rootAnnotations, type Annotations } from './annotations';
import type { WrittenValue } from './layers/environment';
import type { Layer } from './layers/layer';
import { originOf, showOrigin } from './layers/origin';

/** A value of the effective configuration, and its metadata. */
export interface ExplainedValue {
  readonly path: KeyPath;
  /** The effective value, also of secrets: mask it where `secret` is true. */
  readonly value: ConfigValue;
  /** The file with line and column, the module, or the environment. */
  readonly source: string;
  /** Whether it must not be shown: by schema, by the name of its key, or because an environment variable set it. */
  readonly secret: boolean;
  /** Whether a new value requires a restart. */
  readonly restart: boolean;
  /** The text in the file, where it names environment variables and holds no secret itself. */
  readonly written?: string;
}

/** What values are explained by. */
export interface ExplainedTree {
  readonly tree: ConfigObject;
  readonly schemas: SectionSchemas;
  /** The lowest first. */
  readonly layers: readonly Layer[];
  /** Whether the lists of several layers are joined at a path. */
  readonly isAdditive: (path: KeyPath) => boolean;
}

/** What a layer has at the path that a walk has reached. */
interface LayerPlace {
  readonly layer: Layer;
  readonly value: ConfigValue;
  /** The variables named at or below the path. */
  readonly written: readonly WrittenValue[];
  readonly positions: JsonPositions | undefined;
  /** The value's own position; undefined where the text has none. */
  readonly node: JsonNode | undefined;
}

/** A value on the way of a walk, with what is known of it from its enclosing objects. */
interface Place {
  readonly path: KeyPath;
  readonly value: ConfigValue;
  readonly annotations: Annotations;
  /** The layers that set it, the highest first. */
  readonly layers: readonly LayerPlace[];
}

/**
 * Lists the leaves at and below a path, each with its source, one by one: scalars, empty objects, and lists of scalars. The
 * members of additive lists, which come from several files, are leaves of their own. Takes time in proportion to the
 * size of what it lists; layers whose positions are not known yet are scanned first, in steps that yield undefined.
 */
export function* explainedValues(
  whole: ExplainedTree,
  from: KeyPath = [],
): Generator<ExplainedValue | undefined, void, void> {
  let place: Place | undefined = yield* rootPlace(whole);
  for (const key of from) place = place && memberPlace(place, key);
  if (place !== undefined) yield* explainedBelow(place, whole);
}

function* rootPlace({ tree, schemas, layers }: ExplainedTree): Generator<undefined, Place, void> {
  const places: LayerPlace[] = [];
  for (const layer of layers) {
    const positions = layer.positions === undefined ? undefined : yield* layer.positions();
    places.unshift({ layer, value: layer.tree, written: layer.written ?? [], positions, node: 0 });
  }
  return { path: [], value: tree, annotations: rootAnnotations(schemas), layers: places };
}

function* explainedBelow(place: Place, whole: ExplainedTree): Generator<ExplainedValue, void, void> {
  const keys = memberKeys(place.value, place.path, whole.isAdditive);
  if (keys === undefined) yield explain(place, whole);
  else {
    for (const key of keys) {
      const member = memberPlace(place, key);
      if (member !== undefined) yield* explainedBelow(member, whole);
    }
  }
}

/** The keys below which the leaves of a value are; undefined where it is a leaf itself. */
function memberKeys(
  value: ConfigValue,
  path: KeyPath,
  isAdditive: (path: KeyPath) => boolean,
): readonly (string | number)[] | undefined {
  if (isObject(value)) {
    const keys = Object.keys(value);
    return keys.length > 0 || path.length === 0 ? keys : undefined;
  }
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const isBranch = isAdditive(path) || value.some((one) => typeof one === 'object' && one !== null);
  return isBranch ? [...value.keys()] : undefined;
}

/** After so many leaves, counting lets other work run. */
const COUNTED_PER_STEP = 2000;

/** Counts the leaves of a value, in steps. @param path where it is */
export function* countLeaves(
  value: ConfigValue,
  path: KeyPath,
  isAdditive: (path: KeyPath) => boolean,
): Generator<undefined, number, void> {
  const open: { readonly value: ConfigValue; readonly path: KeyPath }[] = [{ value, path }];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const holder = next;
    const keys = memberKeys(holder.value, holder.path, isAdditive);
    if (keys === undefined && ++count % COUNTED_PER_STEP === 0) yield;
    for (const key of keys ?? []) {
      const member = valueAt(holder.value, [key]);
      if (member !== undefined) open.push({ value: member, path: [...holder.path, key] });
    }
  }
  return count;
}

function memberPlace({ path, value, annotations, layers }: Place, key: string | number): Place | undefined {
  const member = valueAt(value, [key]);
  if (member === undefined) return undefined;
  return {
    path: [...path, key],
    value: member,
    annotations: memberAnnotations(annotations, key),
    layers: layers.flatMap((one) => layerMember(one, key, path.length)),
  };
}

function layerMember(place: LayerPlace, key: string | number, depth: number): readonly LayerPlace[] {
  const { layer, positions, node } = place;
  const value = valueAt(place.value, [key]);
  if (value === undefined) return [];
  return [
    {
      layer,
      value,
      positions,
      written: place.written.length === 0 ? [] : place.written.filter(({ path }) => path[depth] === key),
      node: node === undefined ? undefined : positions?.child(node, key),
    },
  ];
}

function explain(place: Place, whole: ExplainedTree): ExplainedValue {
  const { path, value, annotations } = place;
  const { source, written } = sourceOf(place, whole);
  const text = written.find((one) => one.path.length === path.length)?.text;
  const isBare = text !== undefined && /^(\$\{\w+\})+$/.test(text);
  const isSecretHere = isSecret(annotations);
  return {
    path,
    value,
    source,
    secret: isSecretHere || written.length > 0,
    restart: annotations.needsRestart,
    ...(isBare || (text !== undefined && !isSecretHere) ? { written: text } : {}),
  };
}

/** The source of a value, and the variables that it names there. */
function sourceOf(
  { path, value, layers }: Place,
  whole: ExplainedTree,
): { readonly source: string; readonly written: readonly WrittenValue[] } {
  if (typeof path.at(-1) === 'number' && whole.isAdditive(path.slice(0, -1))) {
    const origin = originOf(whole.layers, path, value, whole.isAdditive);
    const there = origin?.layer.written ?? [];
    const written = there.filter((one) => origin?.path.every((key, at) => key === one.path[at]));
    return { source: showOrigin(origin), written };
  }
  const [highest] = layers;
  if (highest === undefined) return { source: showOrigin(undefined), written: [] };
  const { layer, positions, node, written } = highest;
  if (positions === undefined) return { source: layer.source, written };
  const place = node === undefined ? layer.locate?.(path) : positions.format(node);
  return { source: `${layer.source}:${place ?? '1:1'}`, written };
}
