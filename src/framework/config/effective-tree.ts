import type { SectionSchemas } from '../json-schema/schema-tree';
import { deepFreeze, type ConfigObject } from '../values/config-object';
import type { Steps } from '../values/steps';
import { configurationIssues } from './configuration-issues';
import type { Layer } from './layers/layer';
import { merge, type Additive } from './layers/merge';

/** The merged configuration, frozen. */
export interface EffectiveTree {
  readonly tree: ConfigObject;
  readonly errors: readonly string[];
}

/**
 * Merges the layers and checks them, in steps.
 * @param unread the errors of layers that could not be read completely
 * @param unloaded modules that are not loaded, by their sections
 */
export function* effectiveTree(
  layers: readonly Layer[],
  schemas: SectionSchemas,
  isAdditive: Additive,
  unread: readonly string[],
  unloaded?: ReadonlyMap<string, string>,
): Steps<EffectiveTree> {
  let tree: ConfigObject = {};
  for (const { tree: upper, positions } of layers) {
    // The trees of text files are never modified, so that the result may share them.
    tree = merge(tree, upper, isAdditive, positions !== undefined);
    yield;
  }
  for (const section of Object.values(tree)) {
    deepFreeze(section);
    yield;
  }
  const errors = yield* configurationIssues(deepFreeze(tree), schemas, layers, {
    isComplete: unread.length === 0,
    unloaded,
  });
  return { tree, errors: [...unread, ...errors] };
}
