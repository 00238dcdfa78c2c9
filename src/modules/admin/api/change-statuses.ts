/** What creating something may be answered with, where others have created the same. */
export const CREATION_STATUSES = [{ code: 409, message: 'Conflict' }];

/** The statuses of changes that depend on what others did meanwhile. */
export const CHANGE_STATUSES = [...CREATION_STATUSES, { code: 412, message: 'Precondition Failed' }];
