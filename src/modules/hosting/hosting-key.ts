/** The configuration key of the hosted APIs. */
export const HOSTING_KEY = 'platform-hosting';
