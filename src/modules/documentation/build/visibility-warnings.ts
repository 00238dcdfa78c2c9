import type { Catalogue, HostedApi } from '../../hosting';
import type { Guards } from '../../mvc-auth';

/** Warns about hidden documentation that nobody can sign in to read. */
export function visibilityWarnings(catalogue: Catalogue, guards: Guards): readonly string[] {
  return catalogue.apis.flatMap((api) =>
    api.visibility === 'public' ? hiddenServices(api, guards) : hiddenApi(api, guards),
  );
}

function hiddenApi({ name, versions }: HostedApi, guards: Guards): readonly string[] {
  if (versions.some(({ version }) => guards.ofHiddenApi(name, version) !== undefined)) return [];
  return [
    `The documentation of the API "${name}" is hidden from guests, and nobody can sign in to read it: guests receive a 404, as for a name that does not exist. An adapter of the API itself would reveal that it exists, and is not used there. Map an adapter to "@documentation" in platform-mvc-auth.authentication.map.`,
  ];
}

/**
 * The documentation of a hidden service requires the adapter of its API, because a challenge of its own adapter would
 * reveal that it exists.
 */
function hiddenServices({ name: api, versions }: HostedApi, guards: Guards): readonly string[] {
  const services = versions.flatMap((version) => version.services);
  return services
    .filter(({ version, visibility }) => visibility !== 'public' && guards.ofApi(api, version) === undefined)
    .map(({ version, name, guard }) => {
      const why = guard === undefined ? '' : ': a challenge of its own adapter would reveal that it exists';
      return unreadableWarning(`service "${api}-v${version}/${name}"`, api, why);
    });
}

function unreadableWarning(what: string, api: string, why = ''): string {
  return `The documentation of the ${what} is hidden from guests, and nobody can sign in to read it${why}. Map an adapter to "${api}" or "@documentation" in platform-mvc-auth.authentication.map.`;
}
