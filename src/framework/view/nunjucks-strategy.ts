import { readFileSync } from 'node:fs';
import nunjucks from 'nunjucks';
import type { Steps } from '../events/in-turns';
import { collected } from './collected';
import { PageParts, type Variables } from './page-parts';
import type { Renderer } from './renderer';
import type { TemplateMap } from './template-map';
import type { ViewHelpers } from './view-helpers';
import type { ViewModel } from './view-model';
import { ViewStrategy } from './view-strategy';

/** Finds templates by their names in the map, for `render` as for `include` and `extends`. */
class MapLoader extends nunjucks.Loader implements nunjucks.ILoader {
  readonly #map: TemplateMap;

  constructor(map: TemplateMap) {
    super();
    this.#map = map;
  }

  getSource(name: string): nunjucks.LoaderSource {
    const file = this.#map.fileOf(name);
    return { src: readFileSync(file, 'utf8'), path: file, noCache: false };
  }
}

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
  #environment: nunjucks.Environment | undefined;

  constructor(map: TemplateMap, helpers: ViewHelpers) {
    this.#map = map;
    this.#helpers = helpers;
  }

  /** @throws RangeError for an unknown template, and what the template throws */
  render(model: ViewModel): string {
    return [...this.#pieces(model)].join('');
  }

  /** @throws as `render` does */
  *steps(model: ViewModel): Steps<string | Buffer> {
    return yield* collected(this.#pieces(model));
  }

  #pieces(model: ViewModel): Generator<string, void> {
    if (model.template === undefined) throw new TypeError(`${model.constructor.name} names no template.`);
    // Made at the first page: a service that only speaks JSON never needs it.
    const environment = (this.#environment ??= this.#makeEnvironment());
    const { template, variables } = model;
    return this.#parts.pieces(template, variables, (name, given) => environment.render(name, { ...given }));
  }

  #makeEnvironment(): nunjucks.Environment {
    const environment = new nunjucks.Environment(new MapLoader(this.#map), { autoescape: true });
    environment.addGlobal(
      'part',
      (name: string, given?: Variables) => new nunjucks.runtime.SafeString(this.#parts.leave(name, given)),
    );
    for (const { name, call, returns } of this.#helpers) {
      const helper = (...args: unknown[]): unknown => {
        // Templates are not typed: a helper gets what the template gives it.
        const result = call(...(args as never[]));
        return returns === 'html' ? new nunjucks.runtime.SafeString(String(result)) : result;
      };
      environment.addGlobal(name, helper);
    }
    return environment;
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
