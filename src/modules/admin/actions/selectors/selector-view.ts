import {
  listOf,
  isObject,
  isViewModelClass,
  type Configuration,
  type KeyPath,
  type Services,
} from '../../../../framework';
import { NEGOTIATION_KEY, type AmbiguousType, type Selectors } from '../../../content-negotiation';

/** A selector for display. */
export interface SelectorView {
  readonly name: string;
  /** In order of preference. */
  readonly models: readonly SelectorModel[];
  /** The services that use it, as displayed. */
  readonly usedBy: readonly string[];
  /** Media types listed for several view models. */
  readonly ambiguousTypes: readonly AmbiguousType[];
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
  /** Whether only `config/autoload/local.json` defines it, so that it can be removed. */
  readonly isOwn: boolean;
}

const OWN = /^config\/autoload\/local\.json(:|$)/;

/** Returns the key path of a selector, or of a view model of it. */
export function selectorPath(...below: readonly string[]): KeyPath {
  return [NEGOTIATION_KEY, 'selectors', ...below];
}

/** Describes every selector of an application. */
export function describeSelectors(
  configuration: Configuration,
  selectors: Selectors,
  tagOf: (path: KeyPath) => string,
): readonly SelectorView[] {
  return [...selectors.all].map(([name, selector]) => ({
    name,
    models: viewModels(configuration, name),
    usedBy: selectors.usersOf(name),
    ambiguousTypes: selector.ambiguousTypes(),
    tag: tagOf(selectorPath(name)),
  }));
}

function viewModels(configuration: Configuration, selector: string): readonly SelectorModel[] {
  const models = configuration.valueAt(selectorPath(selector));
  if (!isObject(models)) return [];
  return Object.entries(models).map(([name, types]) => ({
    name,
    types: listOf(types).map((mediaType: unknown, at) => {
      const source = configuration.sourceOf([...selectorPath(selector, name), at]);
      return { mediaType: String(mediaType), source, isOwn: OWN.test(source) };
    }),
  }));
}

/** Returns the container names of view model classes in alphabetical order. */
export async function viewModelNames(services: Services): Promise<readonly string[]> {
  const names: string[] = [];
  for (const name of services.names) {
    if (await isViewModel(services, name)) names.push(name);
  }
  return names;
}

/** View model classes are bound as constants: a service that cannot be created is not one. */
async function isViewModel(services: Services, name: string): Promise<boolean> {
  try {
    return isViewModelClass(await services.get<unknown>(name));
  } catch {
    return false;
  }
}
