import type { StatusCase } from './status-case';

/** Responses of a folder of static files, with an empty file. */
export const fileCases: readonly StatusCase[] = [
  { when: 'The file is empty', path: '/files/empty', fields: { Range: 'bytes=9-' } },
];
