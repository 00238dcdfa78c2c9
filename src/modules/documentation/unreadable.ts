import type { Catalogue, HostedApi } from '../hosting';
import type { Guards } from '../mvc-auth';

/** What is hidden from guests and shown to nobody, or listed for nobody, as a message each. */
export function unreadable(catalogue: Catalogue, guards: Guards): readonly string[] {
  return catalogue.apis.flatMap((api) =>
    api.visibility === 'public' ? hiddenServices(api, guards) : hiddenApi(api, guards),
  );
}

function hiddenApi({ name, versions }: HostedApi, guards: Guards): readonly string[] {
  const closed = versions.filter(({ version }) => guards.ofApi(name, version) === undefined);
  const places =
    closed.length === versions.length ? [name] : closed.map(({ version }) => `${name}-v${version}`);
  // An API that a module guards by itself, such as the admin, is for those who know of it.
  const isUnlisted = closed.length === 0 && guards.ofDocumentation() === undefined;
  if (!isUnlisted || guards.isMappedByDefault(name)) {
    return places.map((place) => nobodyReads(`API "${place}"`, name));
  }
  return [
    `The API "${name}" is hidden from guests, and the list of the documentation is told to nobody who could see it there. Map an adapter to "@documentation" in platform-mvc-auth.authentication.map.`,
  ];
}

/**
 * A service that is hidden is read of by those who sign in with the adapter of its API, as its own challenge would
 * tell that it is there.
 */
function hiddenServices({ name: api, versions }: HostedApi, guards: Guards): readonly string[] {
  const services = versions.flatMap((version) => version.services);
  return services
    .filter(({ version, visibility }) => visibility !== 'public' && guards.ofApi(api, version) === undefined)
    .map(({ version, name, guard }) => {
      const why = guard === undefined ? '' : ': its own adapter would tell that it is there';
      return nobodyReads(`service "${api}-v${version}/${name}"`, api, why);
    });
}

function nobodyReads(what: string, api: string, why = ''): string {
  return `The documentation of the ${what} is hidden from guests, and nobody can sign in to read it${why}. Map an adapter to "${api}" or "@documentation" in platform-mvc-auth.authentication.map.`;
}
