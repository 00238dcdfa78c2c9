import { isObject, listOf, objectOf, type JsonObject } from '../../framework';
import { textOf } from './document/json';
import type { DocumentReferences } from './document/references';

/** The fields of a form that are files or lists of files, by name. Their schemas have no references, and no null. */
export type FormFiles = ReadonlyMap<string, JsonObject>;

/** Keywords that allow any value. */
const ANNOTATIONS =
  /^(title|description|deprecated|readOnly|writeOnly|examples?|xml|externalDocs|\$comment|x-.*)$/;

/** Content types of fields that are not files. */
const TEXT = /^(text\/plain|application\/([\w.-]+\+)?json)\b/i;

/** A branch in a branch of unions: more of them describe no file. */
const MAX_DEPTH = 4;

/**
 * Returns the files of a form (OpenAPI 3.0.4, 4.7.14.3; 3.1.1, 4.8.14.3).
 * @param offersJson whether the operation accepts the fields as JSON, too, where an untyped one is not a file
 */
export function formFiles(media: unknown, references: DocumentReferences, offersJson: boolean): FormFiles {
  const { schema, encoding } = objectOf(media);
  const isSince31 = textOf(references.at('#/openapi')).startsWith('3.1.');
  const { properties } = references.resolve(schema);
  const files = Object.entries(objectOf(properties)).flatMap(([name, declared]): [string, JsonObject][] => {
    if (!isObject(declared)) return [];
    const contentType = textOf(objectOf(objectOf(encoding)[name]).contentType);
    const isFile = (one: JsonObject): boolean =>
      isBinary(one) || (isSince31 && isAny(one) && !offersJson && !TEXT.test(contentType));
    const field = plain(declared, references);
    if (isFile(field)) return [[name, field]];
    if (!typesOf(field).includes('array') || !isObject(field.items)) return [];
    const items = plain(field.items, references);
    return isFile(items) ? [[name, { ...field, type: 'array', items }]] : [];
  });
  return new Map(files);
}

/** Returns a schema with its reference resolved, and without null, of which a form has no notation for files. */
function plain(schema: JsonObject, references: DocumentReferences, depth = 0): JsonObject {
  const { $ref: _, nullable: __, ...whole } = { ...references.resolve(schema), ...schema };
  const { anyOf, oneOf, allOf, ...rest } = whole;
  const [branch, ...others] = [anyOf, oneOf, allOf]
    .flatMap(listOf)
    .filter((one) => objectOf(one).type !== 'null');
  if (!isObject(branch) || others.length > 0 || depth > MAX_DEPTH) return whole;
  return { ...plain(branch, references, depth + 1), ...rest };
}

function isBinary(schema: JsonObject): boolean {
  const { format, contentMediaType, contentEncoding } = schema;
  if (typesOf(schema).some((type) => type !== 'string' && type !== 'null')) return false;
  return format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined);
}

/** Whether a schema says nothing about its values: a file by default, since OpenAPI 3.1 (3.1.1, 4.8.15.1). */
function isAny(schema: JsonObject): boolean {
  return Object.keys(schema).every((keyword) => ANNOTATIONS.test(keyword));
}

function typesOf({ type }: JsonObject): readonly unknown[] {
  return type === undefined ? [] : [type].flat();
}

/** Returns the members of a converted form, whose files are those of the platform ("x-file"). */
export function withFileFields(properties: JsonObject, files: FormFiles, encoding: JsonObject): JsonObject {
  const members = Object.entries(properties).map(([name, field]) => {
    const file = files.get(name);
    if (file === undefined) return [name, field] as const;
    const items = objectOf(file.items);
    const { contentMediaType = items.contentMediaType, 'x-file': rule = items['x-file'] } = file;
    const types = mediaTypesOf(objectOf(encoding[name]).contentType ?? contentMediaType);
    const { maxSize } = objectOf(rule);
    const converted = objectOf(field);
    if (file.type !== 'array') return [name, fileField(converted, types, maxSize)] as const;
    return [name, { ...converted, items: fileField(objectOf(converted.items), types, maxSize) }] as const;
  });
  return Object.fromEntries(members);
}

/** Returns a file without the rule of this platform, which {@link withFileFields} keeps. */
export function withoutRule({ 'x-file': _, items, ...file }: JsonObject): JsonObject {
  return isObject(items) ? { ...file, items: withoutRule(items) } : file;
}

function fileField({ description }: JsonObject, types: readonly string[], maxSize: unknown): JsonObject {
  return {
    type: 'string',
    format: 'binary',
    ...(typeof description === 'string' ? { description } : {}),
    'x-file': {
      ...(types.length === 0 ? {} : { types }),
      ...(typeof maxSize === 'number' ? { maxSize } : {}),
    },
  };
}

/** Media types that are separated by commas; none if any is accepted. */
function mediaTypesOf(value: unknown): readonly string[] {
  const types = textOf(value)
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '');
  return types.includes('*/*') || types.includes('application/octet-stream') ? [] : types;
}
