import path from 'node:path';

/** The folder of the repository. Suites that need nothing else load no platform. */
export const ROOT = path.resolve(__dirname, '..', '..');
