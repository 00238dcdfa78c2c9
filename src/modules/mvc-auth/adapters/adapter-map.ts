import type { Configuration } from '../../../framework';
import { MVC_AUTH_KEY, mvcAuthSettings } from '../settings';

const AT = [MVC_AUTH_KEY, 'authentication'] as const;

/** The names of adapters by the keys of `platform-mvc-auth.authentication.map`. */
export type AdapterMap = Readonly<Record<string, string | readonly string[]>>;

/**
 * Returns the only configured adapter if no map is configured: it guards every API without an adapter of its own.
 * Adapters that modules add, such as the administrators', do not count.
 */
export function loneAdapter(configuration: Configuration): string | undefined {
  const [only, ...others] = configuredAdapters(configuration);
  const { map } = configuration.section(MVC_AUTH_KEY, mvcAuthSettings).authentication;
  const isMapped = Object.keys(map).some((key) => !configuration.isDefault([...AT, 'map', key]));
  return others.length > 0 || isMapped ? undefined : only;
}

/** The configured map, with the lone adapter for `*`. */
export function effectiveMap(configuration: Configuration): AdapterMap {
  const { map } = configuration.section(MVC_AUTH_KEY, mvcAuthSettings).authentication;
  const lone = loneAdapter(configuration);
  return lone === undefined ? map : { '*': lone, ...map };
}

/** Returns a warning for each configured adapter that guards nothing. */
export function unmappedAdapterWarnings(configuration: Configuration): readonly string[] {
  const mapped = new Set(Object.values(effectiveMap(configuration)).flat());
  return configuredAdapters(configuration)
    .filter((name) => !mapped.has(name))
    .map(
      (name) =>
        `${configuration.sourceOf([...AT, 'adapters', name])}: the authentication adapter "${name}" guards nothing. Map it to an API or to "*" in platform-mvc-auth.authentication.map, or remove it.`,
    );
}

function configuredAdapters(configuration: Configuration): readonly string[] {
  const { adapters } = configuration.section(MVC_AUTH_KEY, mvcAuthSettings).authentication;
  return Object.keys(adapters).filter(
    (name) => !configuration.isDefault([...AT, 'adapters', name, 'adapter']),
  );
}
