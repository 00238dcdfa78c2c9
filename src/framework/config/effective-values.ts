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
  /** The effective value, also of secrets: mask it if `secret` is true. */
  readonly value: ConfigValue;
  /** The file with line and column, the module, or the environment. */
  readonly source: string;
  /**
   * Whether it must not be displayed: by schema, by the name of its key, or because it contains an environment
   * variable.
   */
  readonly secret: boolean;
  /** Whether a new value requires a restart. */
  readonly restart: boolean;
  /** The text in the file, if it refers to environment variables and is not a secret itself. */
  readonly written?: string;
}

/** The input of {@link explainedValues}. */
export interface ExplainedTree {
  readonly tree: ConfigObject;
  readonly schemas: SectionSchemas;
  /** Lowest first. */
  readonly layers: readonly Layer[];
  /** Whether the lists of several layers are joined at a path. */
  readonly isAdditive: (path: KeyPath) => boolean;
}

/** The value of a layer at the current path of a traversal. */
interface LayerPlace {
  readonly layer: Layer;
  readonly value: ConfigValue;
  /** The variables named at or below the path. */
  readonly written: readonly WrittenValue[];
  readonly positions: JsonPositions | undefined;
  /** The position of the value, if the text has one. */
  readonly node: JsonNode | undefined;
}

/** The current value of a traversal, with annotations from its enclosing objects. */
interface Place {
  readonly path: KeyPath;
  readonly value: ConfigValue;
  readonly annotations: Annotations;
  /** The layers that set it, highest first. */
  readonly layers: readonly LayerPlace[];
}

/**
 * Yields the leaves at and below a path with their sources: scalars, empty objects, and lists of scalars. Members of
 * additive lists, which come from several files, are leaves of their own. Takes linear time; layers without known
 * positions are scanned first, yielding undefined between steps.
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

/** Returns the keys of a value's members; undefined if the value is a leaf. */
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

/** Leaves counted per cooperative step. */
const COUNTED_PER_STEP = 2000;

/** Counts the leaves of a value, in steps. @param path of the value */
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
  const isSecretValue = isSecret(annotations);
  return {
    path,
    value,
    source,
    secret: isSecretValue || written.length > 0,
    restart: annotations.needsRestart,
    ...(isBare || (text !== undefined && !isSecretValue) ? { written: text } : {}),
  };
}

/** Returns the source of a value, and the environment variables in it. */
function sourceOf(
  { path, value, layers }: Place,
  whole: ExplainedTree,
): { readonly source: string; readonly written: readonly WrittenValue[] } {
  if (typeof path.at(-1) === 'number' && whole.isAdditive(path.slice(0, -1))) {
    const origin = originOf(whole.layers, path, value, whole.isAdditive);
    const inLayer = origin?.layer.written ?? [];
    const written = inLayer.filter((one) => origin?.path.every((key, at) => key === one.path[at]));
    return { source: showOrigin(origin), written };
  }
  const [highest] = layers;
  if (highest === undefined) return { source: showOrigin(undefined), written: [] };
  const { layer, positions, node, written } = highest;
  if (positions === undefined) return { source: layer.source, written };
  const place = node === undefined ? layer.locate?.(path) : positions.format(node);
  return { source: `${layer.source}:${place ?? '1:1'}`, written };
}
