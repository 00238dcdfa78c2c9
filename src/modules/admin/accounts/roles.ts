/** The roles of administrators, from the least to the most powerful. Each may do what those before it may. */
export const ADMIN_ROLES = ['viewer', 'editor', 'administrator'] as const;

export type AdminRole = (typeof ADMIN_ROLES)[number];

/** Whether a role may do what another one requires. */
export function includesRole(role: AdminRole, required: AdminRole): boolean {
  return ADMIN_ROLES.indexOf(role) >= ADMIN_ROLES.indexOf(required);
}

/** Returns the most powerful role among names, such as the groups of an identity; undefined for none. */
export function highestRole(names: readonly string[]): AdminRole | undefined {
  return [...ADMIN_ROLES].reverse().find((role) => names.includes(role));
}

/** Returns the access rule of operations that require a role: the groups of the roles that include it. */
export function ruleOf(required: AdminRole): string[] {
  return ADMIN_ROLES.filter((role) => includesRole(role, required)).map((role) => `@${role}`);
}

export function isAdminRole(value: unknown): value is AdminRole {
  return ADMIN_ROLES.some((role) => role === value);
}
