/** Errors that are found in one value, with those of branches of unions that another branch makes void. */
export const MAX_FOUND = 10_000;

/** Errors in a response: a body may have thousands, each longer than the value that it is about. */
export const MAX_LISTED = 1000;
