import type { Configuration, KeyPath } from '../../../../framework';
import { isTree } from '../../../../framework';
import { NEGOTIATION_KEY, type DoubledType, type Selectors } from '../../../content-negotiation';

/** A selector as people look at it. */
export interface SelectorView {
  readonly name: string;
  /** In the order in which the types are preferred. */
  readonly models: readonly SelectorModel[];
  /** Who uses it, in words. */
  readonly usedBy: readonly string[];
  /** Media types that several view models are listed with. */
  readonly doubled: readonly DoubledType[];
  /** The strong validator of its configuration, without quotes. */
  readonly tag: string;
}

/** A view model of a selector with its media types. */
export interface SelectorModel {
  readonly name: string;
  readonly types: readonly SelectorType[];
}

interface SelectorType {
  readonly mediaType: string;
  readonly source: string;
  /** Whether it stands in `config/autoload/local.json` alone, so that it can be taken away. */
  readonly isOwn: boolean;
}

const OWN = /^config\/autoload\/local\.json(:|$)/;

/** Where a selector stands, or an entry of it. */
export function selectorPath(...below: readonly string[]): KeyPath {
  return [NEGOTIATION_KEY, 'selectors', ...below];
}

/** Every selector of an application. */
export function viewSelectors(
  configuration: Configuration,
  selectors: Selectors,
  tagOf: (path: KeyPath) => string,
): readonly SelectorView[] {
  return [...selectors.all].map(([name, selector]) => ({
    name,
    models: viewModels(configuration, name),
    usedBy: selectors.usersOf(name),
    doubled: selector.doubled(),
    tag: tagOf(selectorPath(name)),
  }));
}

function viewModels(configuration: Configuration, selector: string): readonly SelectorModel[] {
  const models = configuration.valueAt(selectorPath(selector));
  if (!isTree(models)) return [];
  return Object.entries(models).map(([name, types]) => ({
    name,
    types: (Array.isArray(types) ? types : []).map((mediaType: unknown, at) => {
      const source = configuration.sourceOf([...selectorPath(selector, name), at]);
      return { mediaType: String(mediaType), source, isOwn: OWN.test(source) };
    }),
  }));
}
