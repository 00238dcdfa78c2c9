import { createRequire } from 'node:module';
import path from 'node:path';
import { DEFAULTS, type Configuration } from '../config/configuration';
import { editDistance, closestMatch } from '../text/closest-match';
import { ConfigurationError } from '../errors/configuration-error';
import { valueAt } from '../values/config-object';
import { ERROR_TEMPLATE } from '../mvc/framework-listeners';
import type * as Checker from '../view/check-templates';
import type { TemplateMap } from '../view/templates/template-map';

const load = createRequire(__filename);

/** The templates of the platform itself, which its tests check: nobody waits for it at start. */
const BUILT_IN = path.resolve(__dirname, '..', '..', '..', 'templates') + path.sep;

const MAP = ['view_manager', 'template_map'] as const;

/**
 * Checks the templates of operators and of modules from outside, and the names under which operators put theirs.
 * @throws ConfigurationError that names everything that is wrong with them, by file and line
 */
export function assertTemplates(templates: TemplateMap, configuration: Configuration): void {
  const own = templates.names.flatMap((name) => {
    const file = templates.fileOf(name);
    if (file.startsWith(BUILT_IN)) return [];
    const relative = path.relative(configuration.root, file);
    return [{ name, file, shown: relative.startsWith('..') ? file : relative }];
  });
  // What reads templates is only loaded where there is one to read.
  if (own.length === 0) return;
  const { checkTemplates } = load('../view/check-templates') as typeof Checker;
  const { errors, referenced } = checkTemplates(own, templates.names);
  const unused = own.flatMap(({ name }) => {
    const meant = referenced.has(name) ? undefined : suggestionFor(name, namesOfModules(configuration));
    if (meant === undefined) return [];
    const source = configuration.sourceOf([...MAP, name]);
    return [`${source}: ${MAP.join('.')}: nothing uses a template "${name}". Did you mean "${meant}"?`];
  });
  if (errors.length + unused.length > 0) throw new ConfigurationError([...unused, ...errors].join('\n'));
}

/** The names that modules give to templates in their defaults, which operators may put theirs in the place of. */
function namesOfModules({ layers }: Configuration): readonly string[] {
  const names = layers
    .filter(({ source }) => source.startsWith(DEFAULTS))
    .flatMap(({ tree }) => Object.keys(valueAt(tree, MAP) ?? {}));
  return [...names, ERROR_TEMPLATE];
}

/**
 * The name that a misspelt one was meant to be: any of the same folder, which belongs to the module, or one next to it.
 * The code of a module may use other names, which cannot be known here.
 */
function suggestionFor(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  const folder = name.slice(0, name.lastIndexOf('/') + 1);
  const same = known.filter((one) => folder !== '' && one.startsWith(folder));
  return closestMatch(name, same) ?? same[0] ?? known.find((one) => editDistance(one, name) <= 2);
}
