import { readFileSync } from 'node:fs';
import nunjucks from 'nunjucks';
import type { PageParts, Variables } from './page-parts';
import type { TemplateMap } from './template-map';
import type { ViewHelpers } from './view-helpers';

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

/** What templates are rendered in: they are escaped, find each other by the map, and may call the helpers and `part`. */
export function templateEnvironment(
  map: TemplateMap,
  helpers: ViewHelpers,
  parts: PageParts,
): nunjucks.Environment {
  const environment = new nunjucks.Environment(new MapLoader(map), { autoescape: true });
  environment.addGlobal(
    'part',
    (name: string, given?: Variables) => new nunjucks.runtime.SafeString(parts.defer(name, given)),
  );
  for (const { name, call, returns } of helpers) {
    const helper = (...args: unknown[]): unknown => {
      // Templates are not typed: a helper gets what the template gives it.
      const result = call(...(args as never[]));
      return returns === 'html' ? new nunjucks.runtime.SafeString(String(result)) : result;
    };
    environment.addGlobal(name, helper);
  }
  return environment;
}
