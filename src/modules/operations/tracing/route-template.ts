import type { PatternPart, RouteMatch } from '../../../framework';

/**
 * Returns the template of a matched route for `http.route`, without constraints and without the optional parts that the
 * request did not have: `/v:version/atlas/countries/:country_code`.
 */
export function routeTemplate({ route, parameters }: RouteMatch<unknown>): string {
  return textOf(route.pattern.parts, parameters);
}

function textOf(parts: readonly PatternPart[], parameters: RouteMatch<unknown>['parameters']): string {
  return parts
    .map((part) => {
      if (part.kind === 'literal') return part.text;
      if (part.kind === 'parameter') return `:${part.name}`;
      const isPresent = part.names.some((name) => Object.hasOwn(parameters, name));
      return isPresent ? textOf(part.parts, parameters) : '';
    })
    .join('');
}
