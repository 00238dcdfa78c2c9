import type { Environment } from 'nunjucks';
import type { Steps } from '../../values/steps';
import { PageParts } from './page-parts';
import { concatChunks, type Renderer } from '../renderer';
import type * as Environments from './template-environment';
import type { TemplateMap } from './template-map';
import type { ViewHelpers } from './view-helpers';
import type { ViewModel } from '../view-model';
import { ViewStrategy } from '../view-strategy';

const load = require;

/**
 * Renders Nunjucks templates, escaped by default. Templates are read from files only: their text is code.
 *
 * A template that renders a list calls `{{ part('name', { item: item }) }}` for each item: parts are rendered one by
 * one after the template itself, cooperatively with other requests. A part has the variables of the page and those
 * passed to it.
 */
export class NunjucksRenderer implements Renderer {
  readonly #map: TemplateMap;
  readonly #helpers: ViewHelpers;
  readonly #parts = new PageParts();
  #environment: Environment | undefined;

  constructor(map: TemplateMap, helpers: ViewHelpers) {
    this.#map = map;
    this.#helpers = helpers;
  }

  /** @throws RangeError for an unknown template, and the errors of the template */
  render(model: ViewModel): string {
    return [...this.#chunks(model)].join('');
  }

  /** @throws as `render` does */
  *steps(model: ViewModel): Steps<string | Buffer> {
    return yield* concatChunks(this.#chunks(model));
  }

  #chunks(model: ViewModel): Generator<string, void> {
    if (model.template === undefined) throw new TypeError(`${model.constructor.name} has no template.`);
    // Created on first use: services without pages never load Nunjucks.
    const environment = (this.#environment ??= this.#makeEnvironment());
    const { template, variables } = model;
    return this.#parts.chunks(template, variables, (name, context) =>
      environment.render(name, { ...context }),
    );
  }

  #makeEnvironment(): Environment {
    const { templateEnvironment } = load('./template-environment') as typeof Environments;
    return templateEnvironment(this.#map, this.#helpers, this.#parts);
  }
}

const HTML_TYPE = 'text/html; charset=utf-8';

/** The fallback: renders any model with a template. */
export class NunjucksStrategy extends ViewStrategy {
  static readonly PRIORITY = 1;

  constructor(renderer: NunjucksRenderer) {
    super(renderer, HTML_TYPE);
  }

  /**
   * HTML for each model: pages are not XHTML, and the model of another format has a template too. Without its strategy, it
   * is rendered here.
   */
  protected override contentTypeOf(model: ViewModel): string;
  protected override contentTypeOf(): string {
    return HTML_TYPE;
  }

  protected override recognizes(model: ViewModel): boolean {
    return model.template !== undefined;
  }
}
