import type { JsonNode, JsonPositions } from '../json/json-positions';
import type { SectionSchemas } from '../json-schema/schema-tree';
import {
  hasKeyPrefix,
  isObject,
  valueAt,
  type ConfigObject,
  type ConfigValue,
  type KeyPath,
} from '../values/config-object';
import type { SchemaNode } from '../json-schema/subschemas';
import { isSecret, memberAnnotations, rootAnnotations, type Annotations } from './annotations';
import type { WrittenValue } from './layers/environment';
import type { Layer } from './layers/layer';
import { originOf, showOrigin } from './layers/origin';
import { hasReferencesOnly } from './layers/references';

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
export interface ExplanationInput {
  readonly tree: ConfigObject;
  readonly schemas: SectionSchemas;
  /** Further schemas, of which only `secret: true` counts. */
  readonly marking?: readonly SchemaNode[];
  /** Lowest first. */
  readonly layers: readonly Layer[];
  /** Whether the lists of several layers are joined at a path. */
  readonly isAdditive: (path: KeyPath) => boolean;
}

/** The value of a layer at the current path of a traversal. */
interface LayerNode {
  readonly layer: Layer;
  readonly value: ConfigValue;
  /** The values with environment variables at or below the path. */
  readonly written: readonly WrittenValue[];
  readonly positions: JsonPositions | undefined;
  /** The position of the value, if the text has one. */
  readonly node: JsonNode | undefined;
}

/** The current value of a traversal, with annotations from its enclosing objects. */
interface TraversalNode {
  readonly path: KeyPath;
  readonly value: ConfigValue;
  readonly annotations: Annotations;
  /** The layers that set it, highest first. */
  readonly layers: readonly LayerNode[];
}

/**
 * Yields the leaves at and below a path with their sources: scalars, empty objects, and lists of scalars. Members of
 * additive lists, which come from several files, are leaves of their own. Takes linear time; layers without known
 * positions are scanned first, yielding undefined between steps.
 */
export function* explainedValues(
  input: ExplanationInput,
  path: KeyPath = [],
): Generator<ExplainedValue | undefined, void, void> {
  let node: TraversalNode | undefined = yield* rootNode(input);
  for (const key of path) node = node && memberNode(node, key);
  if (node !== undefined) yield* explainedBelow(node, input);
}

function* rootNode({
  tree,
  schemas,
  marking,
  layers,
}: ExplanationInput): Generator<undefined, TraversalNode, void> {
  const nodes: LayerNode[] = [];
  for (const layer of layers) {
    const positions = layer.positions === undefined ? undefined : yield* layer.positions();
    nodes.unshift({ layer, value: layer.tree, written: layer.written ?? [], positions, node: 0 });
  }
  return { path: [], value: tree, annotations: rootAnnotations(schemas, marking), layers: nodes };
}

/** An enclosing value of the current one, and its next member. */
interface Enclosing {
  readonly node: TraversalNode;
  readonly keys: readonly (string | number)[];
  next: number;
}

/** With a list of the enclosing values: nested generators would pass on each leaf at each level. */
function* explainedBelow(
  root: TraversalNode,
  input: ExplanationInput,
): Generator<ExplainedValue, void, void> {
  const enclosing: Enclosing[] = [];
  for (let node: TraversalNode | undefined = root; node !== undefined; node = nextMember(enclosing)) {
    const keys = memberKeys(node.value, node.path, input.isAdditive);
    if (keys === undefined) yield explain(node, input);
    else enclosing.push({ node, keys, next: 0 });
  }
}

/** Returns the next value in document order, without the values whose members have all been returned. */
function nextMember(enclosing: Enclosing[]): TraversalNode | undefined {
  for (let holder = enclosing.at(-1); holder !== undefined; holder = enclosing.at(-1)) {
    const key = holder.keys[holder.next++];
    if (key === undefined) enclosing.pop();
    else {
      const member = memberNode(holder.node, key);
      if (member !== undefined) return member;
    }
  }
  return undefined;
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

function memberNode(
  { path, value, annotations, layers }: TraversalNode,
  key: string | number,
): TraversalNode | undefined {
  const member = valueAt(value, [key]);
  if (member === undefined) return undefined;
  const inLayers: LayerNode[] = [];
  for (const holder of layers) {
    const inLayer = valueAt(holder.value, [key]);
    if (inLayer !== undefined) inLayers.push(layerMember(holder, inLayer, key, path.length));
  }
  return {
    path: [...path, key],
    value: member,
    annotations: memberAnnotations(annotations, key),
    layers: inLayers,
  };
}

function layerMember(holder: LayerNode, value: ConfigValue, key: string | number, depth: number): LayerNode {
  const { layer, positions, node, written } = holder;
  return {
    layer,
    value,
    positions,
    written: written.length === 0 ? written : written.filter(({ path }) => path[depth] === key),
    node: node === undefined ? undefined : positions?.child(node, key),
  };
}

function explain(node: TraversalNode, input: ExplanationInput): ExplainedValue {
  const { path, value, annotations } = node;
  const { source, written } = sourceOf(node, input);
  const text = written.find((one) => one.path.length === path.length)?.text;
  const isBare = text !== undefined && hasReferencesOnly(text);
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
  { path, value, layers }: TraversalNode,
  input: ExplanationInput,
): { readonly source: string; readonly written: readonly WrittenValue[] } {
  if (typeof path.at(-1) === 'number' && input.isAdditive(path.slice(0, -1))) {
    const origin = originOf(input.layers, path, value, input.isAdditive);
    const inLayer = origin?.layer.written ?? [];
    const written = inLayer.filter((one) => origin !== undefined && hasKeyPrefix(one.path, origin.path));
    return { source: showOrigin(origin), written };
  }
  const [highest] = layers;
  if (highest === undefined) return { source: showOrigin(undefined), written: [] };
  const { layer, positions, node, written } = highest;
  if (positions === undefined) return { source: layer.source, written };
  const position = node === undefined ? layer.locate?.(path) : positions.format(node);
  return { source: `${layer.source}:${position ?? '1:1'}`, written };
}
