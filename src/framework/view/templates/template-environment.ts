import { readFileSync } from 'node:fs';
import nunjucks from 'nunjucks';
import { isThenable } from '../../events/maybe-promise';
import { watchPages } from './nesting-limit';
import type { PageParts, Variables } from './page-parts';
import type { TemplateMap } from './template-map';
import type { ViewHelpers } from './view-helpers';

/** Loads templates by their names in the map, also for `include` and `extends`. */
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

/** Creates the Nunjucks environment: with autoescaping, the template map, the view helpers and `part`. */
export function templateEnvironment(
  map: TemplateMap,
  helpers: ViewHelpers,
  parts: PageParts,
): nunjucks.Environment {
  const environment = new nunjucks.Environment(new MapLoader(map), { autoescape: true });
  watchPages(environment, helpers.names);
  environment.addGlobal(
    'part',
    (name: string, variables?: Variables) => new nunjucks.runtime.SafeString(parts.defer(name, variables)),
  );
  for (const { name, call, returns } of helpers) {
    const helper = (...args: unknown[]): unknown => {
      // Templates are untyped: the arguments of a helper cannot be checked.
      const result = call(...(args as never[]));
      if (isThenable(result))
        throw new TypeError(`The view helper "${name}" returned a promise. Return the value.`);
      return returns === 'html' ? new nunjucks.runtime.SafeString(String(result)) : result;
    };
    environment.addGlobal(name, helper);
  }
  return environment;
}
