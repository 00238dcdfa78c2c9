import { Type } from '@sinclair/typebox';
import type { ConfigObject } from '../../framework';
import { DEFAULT_DEPTH } from './nesting';

/** The pattern of a media type without wildcards, perhaps with parameters. */
const MEDIA_TYPE = '^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+(\\s*;\\s*[A-Za-z0-9_-]+=.+)?$';

export const mediaTypeSchema = Type.String({
  pattern: MEDIA_TYPE,
  hint: 'Write a media type without wildcards, such as "application/json".',
});

const limit = (description: string) => Type.Integer({ minimum: 0, description });

/** What a form with files may have, by the names of its limits. */
export const uploadLimits = {
  files: limit('Files in a form.'),
  file_size: limit('Bytes of one file.'),
  fields: limit('Fields of a form that are no files.'),
  field_size: limit('Bytes of one such field.'),
  total: limit('Bytes of the whole form.'),
};

/** `platform-content-negotiation`: which view model shows content under which media types. */
export const negotiationSettings = Type.Object(
  {
    selectors: Type.Record(
      Type.String({ minLength: 1 }),
      // An entry adds to a selector that a module has begun (specification, A.3).
      Type.Record(Type.String({ minLength: 1 }), Type.Array(mediaTypeSchema, { mergeLists: 'add' })),
      { description: 'Selectors: view model names and the media types each is chosen for.' },
    ),
    body_limit: Type.Integer({
      minimum: 0,
      description: 'Bytes that a request body may have, unless a service says otherwise.',
    }),
    body_depth: Type.Integer({
      minimum: 1,
      maximum: 1_000,
      description: 'Levels of objects and lists that the JSON of a request body may be nested.',
    }),
    uploads: Type.Object(
      {
        ...uploadLimits,
        folder: Type.Optional(
          Type.String({
            minLength: 1,
            description:
              'Where files stand until their request is answered, from the project root; the temporary folder of the system when it is not said.',
          }),
        ),
      },
      {
        additionalProperties: false,
        description: 'What forms with files (multipart/form-data) may have, unless a service says otherwise.',
      },
    ),
  },
  {
    additionalProperties: false,
    description: 'Which view model shows content, and under which media types.',
  },
);

export const NEGOTIATION_KEY = 'platform-content-negotiation';

export const negotiationDefaults: ConfigObject = {
  [NEGOTIATION_KEY]: {
    selectors: { Json: { JsonModel: ['application/json'] } },
    body_limit: 1_048_576,
    body_depth: DEFAULT_DEPTH,
    uploads: { files: 10, file_size: 10_485_760, fields: 100, field_size: 65_536, total: 33_554_432 },
  },
};
