/** The page of one's own second factor, below the admin. */
export const SECOND_FACTOR_PATH = '/account/second-factor';
