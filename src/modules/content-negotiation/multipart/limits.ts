import { pluralize, problem, type Problem } from '../../../framework';

/** The limits of a form with files. */
export interface UploadLimits {
  readonly files: number;
  /** Bytes of one file. */
  readonly file_size: number;
  /** Fields that are not files. */
  readonly fields: number;
  /** Bytes of one such field. */
  readonly field_size: number;
  /** Bytes of the whole body. */
  readonly total: number;
}

const DESCRIPTIONS: Readonly<Record<keyof UploadLimits, (limit: number) => string>> = {
  files: (limit) => `more than ${pluralize(limit, 'file')}`,
  file_size: (limit) => `a file of more than ${pluralize(limit, 'byte')}`,
  fields: (limit) => `more than ${pluralize(limit, 'field')}`,
  field_size: (limit) => `a field of more than ${pluralize(limit, 'byte')}`,
  total: (limit) => `more than ${pluralize(limit, 'byte')}`,
};

/** Returns the 413 that names the exceeded limit of a form. */
export function limitExceeded(limits: UploadLimits, name: keyof UploadLimits): Problem {
  const limit = limits[name];
  return problem(
    'form_too_large',
    { what: DESCRIPTIONS[name](limit) },
    { extensions: { limit: { name, value: limit } } },
  );
}
