import { objectOf } from '../../../framework';
import { fieldContents, type FieldContent } from '../../content-negotiation';
import type { JsonSchema } from '../model/data';
import { exampleOfSchema } from '../model/example-of-schema';
import { fileTypesOf } from '../model/file-types';
import type { Operation } from '../model/operation';

/** A form field: text, JSON, or the name of a file in the current folder. */
export type FormField = { readonly name: string } & (
  FieldContent | { readonly file: string; readonly type: string }
);

/** The media type of a field that is JSON. */
export const JSON_TYPE = 'application/json';

export const MULTIPART = 'multipart/form-data';
export const FORM = 'application/x-www-form-urlencoded';

/**
 * Returns the fields of a form with their examples; a form with a file has none as a whole. Optional fields are omitted
 * without one, and if it is null.
 */
export function formFields(operation: Operation): readonly FormField[] {
  const example = operation.getRequestExample();
  const examples = objectOf(example);
  return operation.getFields().flatMap((field): readonly FormField[] => {
    const name = field.getName();
    const file = fileOf(name, field.getSchema());
    if (file !== undefined) return [{ name, ...file }];
    const value = Object.hasOwn(examples, name)
      ? examples[name]
      : (field.getExample() ?? exampleOfSchema(field.getSchema()));
    if (!field.isRequired() && (value === undefined || value === null)) return [];
    return fieldContents(value === undefined ? name.toUpperCase() : value).map((one) => ({ name, ...one }));
  });
}

/** Returns the names and texts of a URL-encoded form, which has no files, and whose JSON is text. */
export function textFields(form: readonly FormField[]): readonly [name: string, text: string][] {
  return form.flatMap((field): [string, string][] =>
    'file' in field ? [] : [[field.name, 'text' in field ? field.text : field.json]],
  );
}

/** File extensions that differ from the subtype, and a type for each range. */
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ['text/plain', 'txt'],
  ['application/octet-stream', 'bin'],
]);
const ONE_OF: ReadonlyMap<string, string> = new Map([
  ['image/*', 'image/png'],
  ['text/*', 'text/plain'],
]);

/** Returns a file name for a field, or a list, of files by its types; undefined for other fields. */
function fileOf(
  name: string,
  schema: JsonSchema,
): { readonly file: string; readonly type: string } | undefined {
  const types = fileTypesOf(schema);
  if (types === undefined) return undefined;
  const [named = 'application/octet-stream'] = types;
  const type = ONE_OF.get(named) ?? named;
  return { file: `${name}.${ENDINGS.get(type) ?? /^\w+\/(\w+)$/.exec(type)?.[1] ?? 'bin'}`, type };
}
