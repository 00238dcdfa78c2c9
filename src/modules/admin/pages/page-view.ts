import { ViewModel } from '../../../framework';
import { includesRole, type AdminRole } from '../accounts/roles';
import type { Message, Session } from '../sessions/session';
import type { AdminPaths } from './admin-paths';
import { navigation, sectionOf } from './navigation';

/** The variable `admin` of every admin template. */
interface AdminVariables {
  /** The administrator's name; undefined before sign-in. */
  readonly user: string | undefined;
  /** The administrator's role; undefined before sign-in. */
  readonly role: AdminRole | undefined;
  /** The role that the forms of the page require, if the administrator has a lesser one: they are disabled. */
  readonly missingRole: AdminRole | undefined;
  /** For the macro `csrf`. */
  readonly csrf: string;
  /** For the macro `csrf`: the token of the review that the form edits again. */
  readonly edited: string | undefined;
  readonly messages: readonly Message[];
  readonly navigation: readonly (readonly NavigationLink[])[];
  /** Returns the URL path of a page: `admin.url('/adapters')`. */
  readonly url: (path: string) => string;
}

interface NavigationLink {
  readonly label: string;
  readonly href: string;
  /** The value of `aria-current`: `page` for the current page, `true` for its section. */
  readonly current: 'page' | 'true' | undefined;
}

/**
 * Creates the view model of an admin page.
 * @param template without its folder: `adapters` for `platform-admin/adapters`
 */
export function pageView(
  template: string,
  variables: Readonly<Record<string, unknown>>,
  page: {
    readonly paths: AdminPaths;
    /** The path of the page, below the admin. */
    readonly currentPath: string;
    /** Undefined before sign-in. */
    readonly session: Session | undefined;
    readonly role?: AdminRole;
    /** The role that the forms of the page require. */
    readonly required?: AdminRole;
    readonly messages: readonly Message[];
    readonly edited?: string | undefined;
  },
): ViewModel {
  const { paths, currentPath, session, role, required, messages, edited } = page;
  const section = sectionOf(currentPath);
  const admin: AdminVariables = {
    user: session?.user,
    role,
    missingRole:
      role === undefined || required === undefined || includesRole(role, required) ? undefined : required,
    csrf: session?.csrf ?? '',
    edited,
    messages,
    navigation: navigation.map((group) =>
      group.map(({ label, path }) => ({
        label,
        href: paths.url(path),
        current: path !== section ? undefined : path === currentPath ? 'page' : 'true',
      })),
    ),
    url: (path) => paths.url(path),
  };
  return new ViewModel({ ...variables, admin }, { template: `platform-admin/${template}` });
}
