import { ViewModel } from '../../../framework';
import type { Message, Session } from '../sessions/session';
import type { AdminPaths } from './admin-paths';
import { navigation, sectionOf } from './navigation';

/** What every page of the admin is given beside its own variables, as `admin`. */
interface AdminVariables {
  /** The administrator's name; undefined before sign-in. */
  readonly user: string | undefined;
  /** For the macro `csrf`. */
  readonly csrf: string;
  readonly messages: readonly Message[];
  readonly navigation: readonly (readonly NavigationLink[])[];
  /** The path of a page: `admin.url('/adapters')`. */
  readonly url: (path: string) => string;
}

interface NavigationLink {
  readonly label: string;
  readonly href: string;
  /** For `aria-current`: this very page, one below it, or neither. */
  readonly current: 'page' | 'true' | undefined;
}

/**
 * A page of the admin.
 * @param template without its folder: `adapters` for `platform-admin/adapters`
 * @param here the page's path below the admin
 * @param session of the administrator; undefined before sign-in
 */
export function pageView(
  template: string,
  variables: Readonly<Record<string, unknown>>,
  scene: {
    readonly paths: AdminPaths;
    readonly here: string;
    readonly session: Session | undefined;
    readonly messages: readonly Message[];
  },
): ViewModel {
  const { paths, here, session, messages } = scene;
  const section = sectionOf(here);
  const admin: AdminVariables = {
    user: session?.user,
    csrf: session?.csrf ?? '',
    messages,
    navigation: navigation.map((group) =>
      group.map(({ label, path }) => ({
        label,
        href: paths.url(path),
        current: path !== section ? undefined : path === here ? 'page' : 'true',
      })),
    ),
    url: (path) => paths.url(path),
  };
  return new ViewModel({ ...variables, admin }, { template: `platform-admin/${template}` });
}
