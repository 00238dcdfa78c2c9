/** Additional statuses of operations that create something. */
export const CREATION_STATUSES = [{ code: 409, message: 'Conflict' }];

/** Additional statuses of operations that change something. */
export const CHANGE_STATUSES = [...CREATION_STATUSES, { code: 412, message: 'Precondition Failed' }];
