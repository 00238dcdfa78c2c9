import { isList, isObject, objectOf, type JsonObject } from '../../framework';
import { childPointer } from './document/json';
import { formFiles, withFileFields, withoutRule, type FormFiles } from './form-files';
import { exampleOf, warnAboutExamples, type ImportContext } from './parameters';

/** Media types of bodies that the platform parses, without parameters. */
const BODY = /^application\/(json|x-www-form-urlencoded|[\w.-]+\+json)$/;
const MULTIPART = 'multipart/form-data';
const JSON_TYPE = 'application/json';

/** Returns a media type without its parameters. */
export function essence(type: string): string {
  return type.replace(/\s*;.*$/s, '').toLowerCase();
}

/** Whether a media type is a range with JSON (OpenAPI 3.1.1, 4.8.13), as some generators write all types but bytes. */
export function isJsonRange(type: string, content: unknown): boolean {
  const { type: kind, format } = objectOf(objectOf(objectOf(content)[type]).schema);
  return ['*/*', 'application/*'].includes(essence(type)) && !(kind === 'string' && format === 'binary');
}

/** Returns the members of the configuration for the body of an operation. */
export function requestMembers(
  method: string,
  operation: JsonObject,
  pointer: string,
  context: ImportContext,
): JsonObject {
  const { references, warnings } = context;
  if (operation.requestBody === undefined) return {};
  const { content, description, required } = references.resolve(operation.requestBody);
  const location = childPointer(pointer, 'requestBody');
  const types = Object.keys(objectOf(content));
  const form = types.find((type) => essence(type) === MULTIPART);
  const offersJson = types.some((type) => essence(type).endsWith('json'));
  const files = formFiles(form === undefined ? {} : objectOf(content)[form], references, offersJson);
  const hasFiles = files.size > 0;
  // Files are sent in forms only.
  const named = types.filter((type) => type === form || (!hasFiles && BODY.test(essence(type))));
  const supported = named.length > 0 ? named : types.filter((type) => isJsonRange(type, content)).slice(0, 1);
  for (const type of types)
    if (!supported.includes(type)) warnings.add(`request body of type ${type}`, location);
  const [first] = supported;
  if (first === undefined || method === 'GET') {
    warnings.add('request body', location);
    return {};
  }
  if (required !== true) warnings.add('optional request body (the platform always requires it)', location);
  const mediaOf = (type: string): JsonObject => objectOf(objectOf(content)[type]);
  const schemaOf = (type: string): string => JSON.stringify(mediaOf(type).schema);
  for (const type of supported) {
    if (schemaOf(type) !== schemaOf(first))
      warnings.add(`separate schema of request bodies of type ${type}`, location);
    if (mediaOf(type).encoding !== undefined && !hasFiles)
      warnings.add(`"encoding" of request bodies of type ${type}`, location);
  }
  const at = childPointer(childPointer(location, 'content'), first);
  return {
    ...(typeof description === 'string' ? { request_description: description } : {}),
    content_type: [
      ...new Set(supported.map((type) => (isJsonRange(type, content) ? JSON_TYPE : essence(type)))),
    ],
    fields: hasFiles
      ? withFiles(mediaOf(first), files, at, context)
      : schemaWithExample(mediaOf(first), at, context),
  };
}

/** The schema of a form, whose files have the media types of its `encoding`. */
function withFiles(media: JsonObject, files: FormFiles, pointer: string, context: ImportContext): JsonObject {
  const { references, warnings } = context;
  // A shared schema would also be that of other bodies.
  const form = references.resolve(media.schema);
  const unruled = [...files].map(([name, file]) => [name, withoutRule(file)] as const);
  const properties = { ...objectOf(form.properties), ...Object.fromEntries(unruled) };
  const schema = schemaWithExample({ ...media, schema: { ...form, properties } }, pointer, context);
  const encoding = objectOf(media.encoding);
  for (const [name, { contentType: _, ...others }] of Object.entries(encoding).map(
    ([name, one]) => [name, objectOf(one)] as const,
  ))
    if (Object.keys(others).length > 0 || !files.has(name))
      warnings.add('"encoding" of a form field', childPointer(childPointer(pointer, 'encoding'), name));
  return { ...schema, properties: withFileFields(objectOf(schema.properties), files, encoding) };
}

/** Returns the schema of a media type, with its example. */
export function schemaWithExample(
  { schema, example, examples }: JsonObject,
  pointer: string,
  { schemas, references, warnings }: ImportContext,
): JsonObject {
  warnAboutExamples(examples, pointer, warnings);
  const first = parsedExample(exampleOf(example, examples, references), references.resolve(schema));
  const own = schemas.convert(schema, childPointer(pointer, 'schema'));
  // In a list, because null in a map of the configuration would remove the member.
  return first === undefined ? own : { ...own, examples: [first] };
}

/** Returns the value of an example that is written as the text of JSON, as Swagger UI shows it. */
function parsedExample(example: unknown, { type }: JsonObject): unknown {
  const types = [type].flat();
  if (typeof example !== 'string' || !(types.includes('object') || types.includes('array'))) return example;
  try {
    const value: unknown = JSON.parse(example);
    return (isObject(value) || isList(value)) && !hasRoundedNumber(value) ? value : example;
  } catch {
    return example;
  }
}

/** Whether a value may have other numbers than its text. */
function hasRoundedNumber(value: unknown): boolean {
  if (typeof value === 'number')
    return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
  return typeof value === 'object' && value !== null && Object.values(value).some(hasRoundedNumber);
}
