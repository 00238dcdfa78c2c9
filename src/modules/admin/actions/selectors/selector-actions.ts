import { explainNegotiation, problem, type NegotiationExplanation } from '../../../../framework';
import { Selectors, type Selector } from '../../../content-negotiation';
import type { Change } from '../../changes/change';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { tagOf } from '../../changes/tag';
import { invalid } from '../invalid';
import { standsBelow } from '../layered-edits';
import { mediaTypeErrors } from './media-types';
import { selectorPath, viewSelectors, type SelectorModel, type SelectorView } from './selector-view';
import { viewModelNames } from './view-models';
import { withdraw } from '../withdraw';

/** How a selector chooses for an `Accept` field. */
export interface SelectorExplanation {
  readonly selector: string;
  /** The field; undefined for a request without one. */
  readonly accept: string | undefined;
  readonly explanation: NegotiationExplanation;
  /** The view model that makes the chosen type; undefined for the answer 406. */
  readonly viewModel: string | undefined;
}

/** A selector's name: it is a key of configuration and a part of addresses. */
const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** Looks at selectors, and makes changes of them. */
export class SelectorActions {
  readonly #changes: ConfigurationChanges;

  constructor(changes: ConfigurationChanges) {
    this.#changes = changes;
  }

  async list(): Promise<readonly SelectorView[]> {
    const { configuration } = this.#changes;
    return viewSelectors(configuration, await this.#selectors(), (path) => this.#changes.tagOf(path));
  }

  /** @throws Problem 404 */
  async get(name: string): Promise<SelectorView> {
    const selectors = await this.list();
    const found = selectors.find((one) => one.name === name);
    if (found !== undefined) return found;
    throw problem('name_not_found', { kind: 'selector', name, names: selectors.map((one) => one.name) });
  }

  /** An entry of a selector. @throws Problem 404 */
  async model(selector: string, model: string): Promise<SelectorModel> {
    const { models } = await this.get(selector);
    const found = models.find(({ name }) => name === model);
    if (found !== undefined) return found;
    const kind = `view model in the selector "${selector}"`;
    throw problem('name_not_found', { kind, name: model, names: models.map(({ name }) => name) });
  }

  /** The view models that a selector may name. */
  async viewModels(): Promise<readonly string[]> {
    return viewModelNames(this.#changes.running.services);
  }

  /** @throws Problem 409 for a name that is taken, 422 for one that cannot be */
  async toCreate(name: string): Promise<Change> {
    if (!NAME.test(name)) {
      const message = 'Write a name of letters, digits, "_", "." and "-" that begins with a letter.';
      throw invalid([{ pointer: '/name', message }]);
    }
    if ((await this.#selectors()).all.has(name)) throw problem('name_taken', { kind: 'selector', name });
    const path = selectorPath(name);
    return { summary: `Created the selector "${name}".`, subject: path, edits: [{ path, value: {} }] };
  }

  /**
   * What a lower layer gives to an entry that was taken away comes back with it.
   * @throws Problem 404, 422 for a view model that is none, that has an entry, or for types that are none
   */
  async toAddModel(selector: string, model: string, types: readonly string[]): Promise<Change> {
    const { models } = await this.get(selector);
    const known = await this.viewModels();
    const errors = [...mediaTypeErrors(types, '/types')];
    if (!known.includes(model)) {
      const message = `There is no view model "${model}". There is: ${known.join(', ')}.`;
      errors.unshift({ pointer: '/model', message });
    } else if (models.some(({ name }) => name === model)) {
      const message = `${model} has an entry in this selector already. Change its media types instead.`;
      errors.unshift({ pointer: '/model', message });
    }
    if (errors.length > 0) throw invalid(errors);
    return {
      summary: `Added ${model} (${types.join(', ')}) to the selector "${selector}".`,
      subject: selectorPath(selector),
      edits: [{ path: selectorPath(selector, model), value: [...types] }],
    };
  }

  /**
   * The types that lower layers give stay, as entries add to them.
   * @throws Problem 404, 422 for types that are none, or when one is missing that a lower layer gives
   */
  async toSetTypes(selector: string, model: string, types: readonly string[]): Promise<Change> {
    const entry = await this.model(selector, model);
    const given = entry.types.filter(({ isOwn }) => !isOwn);
    const missing = given.filter(({ mediaType }) => !types.includes(mediaType));
    const errors = [
      ...mediaTypeErrors(types, '/types'),
      ...missing.map(({ mediaType, source }) => ({
        pointer: '/types',
        message: `${mediaType} is given by ${source}, and cannot be taken away by itself. Keep it, or remove the whole entry.`,
      })),
    ];
    if (errors.length > 0) throw invalid(errors);
    const own = types.filter((type) => !given.some(({ mediaType }) => mediaType === type));
    const before = entry.types.filter(({ isOwn }) => isOwn).map(({ mediaType }) => mediaType);
    const path = selectorPath(selector, model);
    return {
      summary: `Changed the media types of ${model} in the selector "${selector}".`,
      subject: selectorPath(selector),
      edits: tagOf(own) === tagOf(before) ? [] : [{ path, value: own.length === 0 ? undefined : own }],
    };
  }

  /** @throws Problem 404 */
  async toRemoveModel(selector: string, model: string): Promise<Change> {
    await this.model(selector, model);
    return {
      summary: `Removed ${model} from the selector "${selector}".`,
      subject: selectorPath(selector),
      edits: [withdraw(this.#changes.configuration, selectorPath(selector, model))],
    };
  }

  /** @throws Problem 404, 409 while it is used */
  async toRemove(name: string): Promise<Change> {
    const { usedBy } = await this.get(name);
    if (usedBy.length > 0) throw problem('still_used', { kind: 'selector', name, by: usedBy });
    return {
      summary: `Removed the selector "${name}".`,
      subject: selectorPath(name),
      edits: [withdraw(this.#changes.configuration, selectorPath(name))],
    };
  }

  /** Whether a selector, or an entry of it, stands in a lower layer, so that removing it hides it only. */
  standsBelow(selector: string, model?: string): boolean {
    const below = model === undefined ? [selector] : [selector, model];
    return standsBelow(this.#changes.configuration, selectorPath(...below));
  }

  /**
   * How the selector chooses for an `Accept` field.
   * @param accept undefined for a request without the field
   * @throws Problem 404
   */
  async explain(selector: string, accept: string | undefined): Promise<SelectorExplanation> {
    const found = await this.#selector(selector);
    return {
      selector,
      accept,
      explanation: explainNegotiation(accept, found.mediaTypes),
      viewModel: found.choose(accept)?.name,
    };
  }

  async #selectors(): Promise<Selectors> {
    return this.#changes.running.services.get(Selectors);
  }

  async #selector(name: string): Promise<Selector> {
    const { all } = await this.#selectors();
    const selector = all.get(name);
    if (selector !== undefined) return selector;
    throw problem('name_not_found', { kind: 'selector', name, names: [...all.keys()] });
  }
}
