import { listOf, isSchema } from '../../../framework';
import { isFileField, MULTIPART } from '../../content-negotiation';
import type { JsonSchema } from '../../documentation';
import { swaggerParameter } from './parameters';

const FORMS: readonly string[] = [MULTIPART, 'application/x-www-form-urlencoded'];

/** A request body in a form format. */
export interface Form {
  /** The form media types of the body. */
  readonly consumes: readonly string[];
  readonly parameters: readonly JsonSchema[];
}

/**
 * Converts a body to form parameters, which Swagger 2.0 needs for files. A body that may be JSON too stays a body,
 * unless it contains a file.
 *
 * @param schema of the body, its references resolved
 * @param resolve resolves references
 * @returns undefined if the body is not a form
 */
export function swaggerForm(
  types: readonly string[],
  schema: JsonSchema,
  resolve: (schema: unknown) => JsonSchema,
): Form | undefined {
  const { properties, required } = schema;
  const forms = types.filter((type) => FORMS.includes(type));
  if (!isSchema(properties) || forms.length === 0) return undefined;
  const fields = Object.entries(properties).map(([name, field]) => ({ name, field: resolve(field) }));
  const hasFiles = forms.includes(MULTIPART) && fields.some(({ field }) => isFileField(field, resolve));
  if (!hasFiles && forms.length < types.length) return undefined;
  const needed = listOf(required);
  return {
    consumes: hasFiles ? forms.filter((type) => type === MULTIPART) : forms,
    parameters: fields.map(({ name, field }) => {
      const { description } = field;
      const parameter = { name, in: 'formData', description, required: needed.includes(name), schema: field };
      return isFileField(field, resolve) ? fileParameter(parameter) : swaggerParameter(parameter);
    }),
  };
}

/** Swagger 2.0 only has single files, also for a list of them. */
function fileParameter({ name, description, required }: JsonSchema): JsonSchema {
  return {
    name,
    in: 'formData',
    ...(description === undefined ? {} : { description }),
    ...(required === true ? { required } : {}),
    type: 'file',
  };
}
