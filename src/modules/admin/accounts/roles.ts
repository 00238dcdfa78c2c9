/** The roles of administrators, the lowest first: each may do what those before it may. */
export const ADMIN_ROLES = ['viewer', 'editor', 'administrator'] as const;

/** What an administrator may do. */
export type AdminRole = (typeof ADMIN_ROLES)[number];
