import { problem, type Problem } from '../../../framework';

/** What a form with files may have. */
export interface UploadLimits {
  readonly files: number;
  /** Bytes of one file. */
  readonly file_size: number;
  /** Fields that are no files. */
  readonly fields: number;
  /** Bytes of one such field. */
  readonly field_size: number;
  /** Bytes of the whole body. */
  readonly total: number;
}

const words: Readonly<Record<keyof UploadLimits, (limit: number) => string>> = {
  files: (limit) => `more than ${limit} files`,
  file_size: (limit) => `a file of more than ${limit} bytes`,
  fields: (limit) => `more than ${limit} fields`,
  field_size: (limit) => `a field of more than ${limit} bytes`,
  total: (limit) => `more than ${limit} bytes`,
};

/** A form that is over one of its limits: 413, which names the limit. */
export function limitExceeded(limits: UploadLimits, name: keyof UploadLimits): Problem {
  const limit = limits[name];
  return problem(
    'form_too_large',
    { what: words[name](limit) },
    { extensions: { limit: { name, value: limit } } },
  );
}
