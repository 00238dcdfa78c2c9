import { ADMIN_ROLES, includesRole, type AdminRole } from './roles';

/** A permission, and the roles that have it. */
export interface RolePermission {
  readonly what: string;
  readonly roles: readonly AdminRole[];
}

/** What each role may do, for display. The pages and the services of the admin API state the role that they require. */
export const ROLE_MATRIX: readonly RolePermission[] = [
  permission('See all pages; secrets are masked', 'viewer'),
  permission('Change one’s own password and second factor', 'viewer'),
  permission('Test access rules, content negotiation, database connections and response times', 'viewer'),
  permission('Change documentation texts', 'editor'),
  permission('Change content negotiation', 'editor'),
  permission('Record and remove request traces', 'editor'),
  permission('Undo and restore revisions of what the role may change', 'editor'),
  permission('Change services and versions, also over tables', 'administrator'),
  permission('Change access rules, adapters, password files and API keys', 'administrator'),
  permission('Check adapters, and test whether a user can sign in with them', 'administrator'),
  permission('Change who sees the documentation', 'administrator'),
  permission('Update snapshots of databases', 'administrator'),
  permission('Reload the configuration', 'administrator'),
  permission('Add and remove administrators, set their roles and passwords', 'administrator'),
];

function permission(what: string, required: AdminRole): RolePermission {
  return { what, roles: ADMIN_ROLES.filter((role) => includesRole(role, required)) };
}
