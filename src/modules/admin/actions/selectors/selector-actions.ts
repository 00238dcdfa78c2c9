import { explainNegotiation, problem, type NegotiationExplanation } from '../../../../framework';
import { Selectors, type Selector } from '../../../content-negotiation';
import type { Change } from '../../changes/change';
import { leavesOf } from '../../changes/comparison/edits';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { nameTooLong } from '../../changes/name-length';
import { tagOf } from '../../changes/comparison/tag';
import { invalid } from '../../changes/field-errors';
import { isDefinedInLowerLayer, layeredEdits } from '../layered-edits';
import { mediaTypeErrors } from './media-types';
import {
  describeSelectors,
  selectorPath,
  viewModelNames,
  type SelectorModel,
  type SelectorView,
} from './selector-view';
import { unsetEdit } from '../unset-edit';

/** How a selector negotiates an `Accept` header. */
export interface SelectorExplanation {
  readonly selector: string;
  /** The header; undefined for a request without it. */
  readonly accept: string | undefined;
  readonly explanation: NegotiationExplanation;
  /** The view model of the chosen media type; undefined for 406. */
  readonly viewModel: string | undefined;
}

/** Selector names are configuration keys and parts of URLs. */
const NAME = /^[A-Za-z][A-Za-z0-9_.-]*$/;

/** Reads and changes the selectors of content negotiation. */
export class SelectorActions {
  readonly #changes: ConfigurationChanges;

  constructor(changes: ConfigurationChanges) {
    this.#changes = changes;
  }

  async list(): Promise<readonly SelectorView[]> {
    const { configuration } = this.#changes;
    return describeSelectors(configuration, await this.#selectors(), (path) => this.#changes.tagOf(path));
  }

  /** @throws Problem 404 */
  async get(name: string): Promise<SelectorView> {
    const selectors = await this.list();
    const found = selectors.find((one) => one.name === name);
    if (found !== undefined) return found;
    throw problem('name_not_found', { kind: 'selector', name, names: selectors.map((one) => one.name) });
  }

  /** Returns a view model of a selector. @throws Problem 404 */
  async model(selector: string, model: string): Promise<SelectorModel> {
    const { models } = await this.get(selector);
    const found = models.find(({ name }) => name === model);
    if (found !== undefined) return found;
    const kind = `view model in the selector "${selector}"`;
    throw problem('name_not_found', { kind, name: model, names: models.map(({ name }) => name) });
  }

  /** Returns the view models available to selectors. */
  async viewModels(): Promise<readonly string[]> {
    return viewModelNames(this.#changes.running.services);
  }

  /**
   * Restores media types of lower layers of its view model if the selector was removed before.
   * @param first its view model; without it, the selector is empty
   * @throws Problem 409 for an existing name, 422 for an invalid one, an unknown view model, or invalid media types
   */
  async prepareCreate(
    name: string,
    first?: { readonly model: string; readonly types: readonly string[] },
  ): Promise<Change> {
    const tooLong = nameTooLong(name);
    if (tooLong !== undefined) throw invalid([{ pointer: '/name', message: tooLong }]);
    if (!NAME.test(name)) {
      const message = 'Use letters, digits, "_", "." and "-", starting with a letter.';
      throw invalid([{ pointer: '/name', message }]);
    }
    if ((await this.#selectors()).all.has(name)) throw problem('name_taken', { kind: 'selector', name });
    if (first !== undefined) await this.#assertValidModel(first.model, first.types, []);
    const models = first === undefined ? {} : { [first.model]: [...first.types] };
    const path = selectorPath(name);
    const created = layeredEdits(this.#changes.configuration, path, models);
    // Each on its own: the media types of lower layers are added to those of the view model.
    const edits = first === undefined ? created : created.flatMap(leavesOf);
    const content = first === undefined ? '' : ` with ${first.model} (${first.types.join(', ')})`;
    return { summary: `Created the selector "${name}"${content}.`, subject: path, edits };
  }

  /**
   * Restores media types of lower layers if the view model was removed before.
   * @throws Problem 404, 422 for an unknown or existing view model, or invalid media types
   */
  async prepareAddModel(selector: string, model: string, types: readonly string[]): Promise<Change> {
    const { models } = await this.get(selector);
    await this.#assertValidModel(model, types, models);
    return {
      summary: `Added ${model} (${types.join(', ')}) to the selector "${selector}".`,
      subject: selectorPath(selector),
      edits: [{ path: selectorPath(selector, model), value: [...types] }],
    };
  }

  /**
   * Media types of lower layers are kept: `local.json` only adds to them.
   * @throws Problem 404, 422 for invalid media types, or if one of a lower layer is missing
   */
  async prepareSetTypes(selector: string, model: string, types: readonly string[]): Promise<Change> {
    const entry = await this.model(selector, model);
    const lowerTypes = entry.types.filter(({ isOwn }) => !isOwn);
    const missing = lowerTypes.filter(({ mediaType }) => !types.includes(mediaType));
    const errors = [
      ...mediaTypeErrors(types, '/types'),
      ...missing.map(({ mediaType, source }) => ({
        pointer: '/types',
        message: `${mediaType} is defined in ${source} and cannot be removed on its own. Keep it, or remove the view model.`,
      })),
    ];
    if (errors.length > 0) throw invalid(errors);
    const own = types.filter((type) => !lowerTypes.some(({ mediaType }) => mediaType === type));
    const before = entry.types.filter(({ isOwn }) => isOwn).map(({ mediaType }) => mediaType);
    const path = selectorPath(selector, model);
    return {
      summary: `Changed the media types of ${model} in the selector "${selector}".`,
      subject: selectorPath(selector),
      edits: tagOf(own) === tagOf(before) ? [] : [{ path, value: own.length === 0 ? undefined : own }],
    };
  }

  /** @throws Problem 404 */
  async prepareRemoveModel(selector: string, model: string): Promise<Change> {
    await this.model(selector, model);
    return {
      summary: `Removed ${model} from the selector "${selector}".`,
      subject: selectorPath(selector),
      edits: [unsetEdit(this.#changes.configuration, selectorPath(selector, model))],
    };
  }

  /** @throws Problem 404, 409 if it is in use */
  async prepareRemove(name: string): Promise<Change> {
    const { usedBy } = await this.get(name);
    const by = usedBy.map((user) => user.replace(/^The /, 'the '));
    if (by.length > 0) throw problem('in_use', { kind: 'selector', name, by });
    return {
      summary: `Removed the selector "${name}".`,
      subject: selectorPath(name),
      edits: [unsetEdit(this.#changes.configuration, selectorPath(name))],
    };
  }

  /** Whether a lower layer defines a selector, or a view model of it. */
  isDefinedInLowerLayer(selector: string, model?: string): boolean {
    const below = model === undefined ? [selector] : [selector, model];
    return isDefinedInLowerLayer(this.#changes.configuration, selectorPath(...below));
  }

  /**
   * Explains how the selector negotiates an `Accept` header.
   * @param accept undefined for a request without the header
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

  /** @param existing the view models of the selector. @throws Problem 422 */
  async #assertValidModel(
    model: string,
    types: readonly string[],
    existing: readonly SelectorModel[],
  ): Promise<void> {
    const known = await this.viewModels();
    const errors = [...mediaTypeErrors(types, '/types')];
    if (!known.includes(model)) {
      const message = `View model "${model}" does not exist. Available: ${known.join(', ')}.`;
      errors.unshift({ pointer: '/model', message });
    } else if (existing.some(({ name }) => name === model)) {
      const message = `${model} is already in this selector. Edit its media types instead.`;
      errors.unshift({ pointer: '/model', message });
    }
    if (errors.length > 0) throw invalid(errors);
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
