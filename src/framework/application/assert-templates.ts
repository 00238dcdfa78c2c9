import path from 'node:path';
import { DEFAULTS, type Configuration } from '../config/configuration';
import { editDistance, closestMatch } from '../text/closest-match';
import { ConfigurationError } from '../errors/configuration-error';
import { valueAt } from '../values/config-object';
import { pathInside } from '../values/path-inside';
import { ERROR_TEMPLATE } from '../mvc/framework-listeners';
import type * as Checker from '../view/check-templates';
import type { CheckedTemplate } from '../view/template-tree';
import type { TemplateMap } from '../view/templates/template-map';

const load = require;

/** The built-in templates. They are checked by tests, not at startup. */
const BUILT_IN = path.resolve(__dirname, '..', '..', '..', 'templates') + path.sep;

const MAP = ['view_manager', 'template_map'] as const;

/**
 * Checks the templates of operators and external modules, and their names in the template map.
 * @returns warnings
 * @throws ConfigurationError with all errors, by file and line
 */
export function assertTemplates(templates: TemplateMap, configuration: Configuration): readonly string[] {
  const find = (name: string): CheckedTemplate => {
    const file = templates.fileOf(name);
    return { name, file, shown: pathInside(configuration.root, file) ?? file };
  };
  const own = templates.names.map(find).filter(({ file }) => !file.startsWith(BUILT_IN));
  // Nunjucks is loaded only if there are templates to check.
  if (own.length === 0) return [];
  const { checkTemplates } = load('../view/check-templates') as typeof Checker;
  const { errors, warnings, referenced } = checkTemplates(own, templates.names, find);
  const unused = own.flatMap(({ name }) => {
    const suggestion = referenced.has(name) ? undefined : suggestionFor(name, namesOfModules(configuration));
    if (suggestion === undefined) return [];
    const source = configuration.sourceOf([...MAP, name]);
    return [
      `${source}: ${MAP.join('.')}: the template "${name}" is never used. Did you mean "${suggestion}"?`,
    ];
  });
  if (errors.length + unused.length > 0) throw new ConfigurationError([...unused, ...errors].join('\n'));
  return warnings;
}

/** Returns the template names in the defaults of modules, which operators can override. */
function namesOfModules({ layers }: Configuration): readonly string[] {
  const names = layers
    .filter(({ source }) => source.startsWith(DEFAULTS))
    .flatMap(({ tree }) => Object.keys(valueAt(tree, MAP) ?? {}));
  return [...names, ERROR_TEMPLATE];
}

/**
 * Returns the name that a misspelled one probably means: one in the same folder, or a similar one. Other unknown
 * names are accepted, as the code of a module may use them.
 */
function suggestionFor(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  const folder = name.slice(0, name.lastIndexOf('/') + 1);
  const same = known.filter((one) => folder !== '' && one.startsWith(folder));
  return closestMatch(name, same) ?? same[0] ?? known.find((one) => editDistance(one, name) <= 2);
}
