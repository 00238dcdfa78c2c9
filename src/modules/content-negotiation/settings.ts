import { Type } from '@sinclair/typebox';
import type { ConfigObject } from '../../framework';
import { DEFAULT_DEPTH, DEFAULT_MEMBERS } from './json-text/nesting';

/** A media type without wildcards, optionally with parameters, of characters that a header field may have. */
const MEDIA_TYPE =
  '^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+([\\t ]*;[\\t ]*[A-Za-z0-9_-]+=[\\t -~\\u00a0-\\u00ff]+)?$';

export const mediaTypeSchema = Type.String({
  pattern: MEDIA_TYPE,
  hint: 'Write a media type without wildcards, such as "application/json".',
});

const limit = (description: string) => Type.Integer({ minimum: 0, description });

/** The limits of a form with files. */
export const uploadLimits = {
  files: limit('Maximum number of files in a form.'),
  file_size: limit('Maximum size of a file, in bytes.'),
  fields: limit('Maximum number of form fields that are not files.'),
  field_size: limit('Maximum size of such a field, in bytes.'),
  total: limit('Maximum size of the whole form, in bytes.'),
};

/** `platform-content-negotiation`: maps view models to media types, and limits request bodies. */
export const negotiationSettings = Type.Object(
  {
    selectors: Type.Record(
      Type.String({ minLength: 1 }),
      // An entry adds to a selector that a module defines (specification, A.3).
      Type.Record(Type.String({ minLength: 1 }), Type.Array(mediaTypeSchema, { mergeLists: 'add' })),
      { description: 'Selectors: view models and the media types that each renders.' },
    ),
    body_limit: Type.Integer({
      minimum: 0,
      description: 'Maximum size of a request body, in bytes. A service may override it.',
    }),
    body_depth: Type.Integer({
      minimum: 1,
      maximum: 1_000,
      description: 'Maximum nesting depth of objects and arrays in a JSON request body.',
    }),
    body_members: Type.Integer({
      minimum: 1,
      maximum: 100_000_000,
      description:
        'Maximum number of members and items in a JSON request body, in total, or of fields in a form, which has at most 10,000.',
    }),
    uploads: Type.Object(
      {
        ...uploadLimits,
        folder: Type.Optional(
          Type.String({
            minLength: 1,
            description:
              'Folder for uploaded files until their request ends, relative to the project root. Defaults to the temporary folder of the system.',
          }),
        ),
      },
      {
        additionalProperties: false,
        description: 'Limits of forms with files (multipart/form-data). A service may override them.',
      },
    ),
  },
  {
    additionalProperties: false,
    description:
      'Response formats and request bodies: which view model renders which media types, and the limits of bodies.',
  },
);

export const NEGOTIATION_KEY = 'platform-content-negotiation';

export const negotiationDefaults: ConfigObject = {
  [NEGOTIATION_KEY]: {
    selectors: { Json: { JsonModel: ['application/json'] } },
    body_limit: 1_048_576,
    body_depth: DEFAULT_DEPTH,
    body_members: DEFAULT_MEMBERS,
    uploads: { files: 10, file_size: 10_485_760, fields: 100, field_size: 65_536, total: 33_554_432 },
  },
};
