import { isObject, objectOf, type JsonObject } from '../../framework';
import { childPointer, textOf } from './document/json';
import type { DocumentReferences } from './document/references';
import { exampleOf, warnAboutExamples, type ImportContext } from './parameters';

/** Media types of bodies that the platform parses, without parameters. */
const BODY = /^application\/(json|x-www-form-urlencoded|[\w.-]+\+json)$/;
const MULTIPART = 'multipart/form-data';

/** Returns a media type without its parameters. */
export function essence(type: string): string {
  return type.replace(/\s*;.*$/s, '').toLowerCase();
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
  const hasFiles = form !== undefined && fileNames(objectOf(content)[form], references).length > 0;
  // Files are sent in forms only.
  const supported = types.filter((type) =>
    hasFiles ? type === form : BODY.test(essence(type)) || type === form,
  );
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
  return {
    ...(typeof description === 'string' ? { request_description: description } : {}),
    content_type: [...new Set(supported.map(essence))],
    fields: hasFiles
      ? withFiles(mediaOf(first), childPointer(childPointer(location, 'content'), first), context)
      : schemaWithExample(mediaOf(first), childPointer(childPointer(location, 'content'), first), context),
  };
}

/** The fields of a form that are files, or lists of them (OpenAPI 3.0.4, 4.7.14.3; 3.1.1, 4.8.14.3). */
function fileNames(media: unknown, references: DocumentReferences): readonly string[] {
  const { properties } = references.resolve(objectOf(media).schema);
  return Object.entries(objectOf(properties))
    .filter(([, field]) => isFile(field) || (isObject(field) && isFile(field.items)))
    .map(([name]) => name);
}

function isFile(field: unknown): boolean {
  if (!isObject(field)) return false;
  const { type, format, contentMediaType, contentEncoding } = field;
  if (type === 'string' && format === 'binary') return true;
  return contentMediaType !== undefined && contentEncoding === undefined && (type ?? 'string') === 'string';
}

/** The schema of a form, whose files are those of the platform ("x-file"), with the media types of its `encoding`. */
function withFiles(media: JsonObject, pointer: string, context: ImportContext): JsonObject {
  const { references, warnings } = context;
  const files = fileNames(media, references);
  // A shared schema would also be that of other bodies.
  const schema = schemaWithExample({ ...media, schema: references.resolve(media.schema) }, pointer, context);
  const encoding = objectOf(media.encoding);
  for (const [name, { contentType: _, ...others }] of Object.entries(encoding).map(
    ([name, one]) => [name, objectOf(one)] as const,
  ))
    if (Object.keys(others).length > 0 || !files.includes(name))
      warnings.add('"encoding" of a form field', childPointer(childPointer(pointer, 'encoding'), name));
  const properties = Object.entries(objectOf(schema.properties)).map(([name, field]) => {
    if (!files.includes(name) || !isObject(field)) return [name, field] as const;
    const types = typesOf(objectOf(encoding[name]).contentType ?? field.contentMediaType);
    if (field.items === undefined) return [name, fileField(field, types)] as const;
    return [name, { ...field, items: fileField(objectOf(field.items), types) }] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

function fileField({ description }: JsonObject, types: readonly string[]): JsonObject {
  return {
    type: 'string',
    format: 'binary',
    ...(typeof description === 'string' ? { description } : {}),
    'x-file': types.length === 0 ? {} : { types },
  };
}

/** Media types that are separated by commas; none if any is accepted. */
function typesOf(value: unknown): readonly string[] {
  const types = textOf(value)
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '');
  return types.includes('*/*') || types.includes('application/octet-stream') ? [] : types;
}

/** Returns the schema of a media type, with its example. */
export function schemaWithExample(
  { schema, example, examples }: JsonObject,
  pointer: string,
  { schemas, references, warnings }: ImportContext,
): JsonObject {
  warnAboutExamples(examples, pointer, warnings);
  const first = exampleOf(example, examples, references);
  const own = schemas.convert(schema, childPointer(pointer, 'schema'));
  // In a list, because null in a map of the configuration would remove the member.
  return first === undefined ? own : { ...own, examples: [first] };
}
