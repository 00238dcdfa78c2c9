import type { Environment } from 'nunjucks';
import { createRequire } from 'node:module';
import type { RenderSteps } from '../../events/cooperative';
import { PageParts } from './page-parts';
import { concatChunks, type Renderer } from '../renderer';
import type * as Environments from './template-environment';
import type { TemplateMap } from './template-map';
import type { ViewHelpers } from './view-helpers';
import type { ViewModel } from '../view-model';
import { ViewStrategy } from '../view-strategy';

const load = createRequire(__filename);

/**
 * Templates, escaped by default. They come from files only: the text of a template is code.
 *
 * A template that shows many things of one kind leaves each to a template of its own, by
 * `{{ part('name', { thing: thing }) }}`: parts are rendered one after the other when the template around them is done,
 * and other requests have their turn in between. A part knows the variables of the page and those that it is given.
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

  /** @throws RangeError for an unknown template, and what the template throws */
  render(model: ViewModel): string {
    return [...this.#pieces(model)].join('');
  }

  /** @throws as `render` does */
  *steps(model: ViewModel): RenderSteps<string | Buffer> {
    return yield* concatChunks(this.#pieces(model));
  }

  #pieces(model: ViewModel): Generator<string, void> {
    if (model.template === undefined) throw new TypeError(`${model.constructor.name} names no template.`);
    // Made at the first page: a service that only speaks JSON never needs it.
    const environment = (this.#environment ??= this.#makeEnvironment());
    const { template, variables } = model;
    return this.#parts.pieces(template, variables, (name, given) => environment.render(name, { ...given }));
  }

  #makeEnvironment(): Environment {
    const { templateEnvironment } = load('./template-environment') as typeof Environments;
    return templateEnvironment(this.#map, this.#helpers, this.#parts);
  }
}

/** The last resort: any model that names a template. */
export class NunjucksStrategy extends ViewStrategy {
  static readonly PRIORITY = 1;

  constructor(renderer: NunjucksRenderer) {
    super(renderer, 'text/html; charset=utf-8');
  }

  protected override recognizes(model: ViewModel): boolean {
    return model.template !== undefined;
  }
}
