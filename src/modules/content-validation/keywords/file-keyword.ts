import type { FuncKeywordDefinition } from 'ajv/dist/2020';
import type { SchemaValidateFunction } from 'ajv/dist/types';
import { mapSubschemas, objectOf, type SchemaNode } from '../../../framework';
import { UploadedFile } from '../../content-negotiation';

/** The value of `x-file`, written by `fileField`. */
interface FileRule {
  readonly types?: readonly string[];
  readonly maxSize?: number;
  /** Added for a field that may be null. */
  readonly isNullable?: boolean;
}

const isFile: SchemaValidateFunction = (rule: FileRule, value: unknown) => {
  const { types, maxSize, isNullable = false } = rule;
  const isValid =
    (isNullable && value === null) ||
    (value instanceof UploadedFile &&
      (types === undefined || types.some((range) => matchesRange(value.type, range))) &&
      (maxSize === undefined || value.size <= maxSize));
  // Ajv reads the errors of a keyword from the function (Ajv guide, user-defined keywords).
  isFile.errors = isValid ? [] : [{ keyword: 'x-file', message: describeRule(rule), params: {} }];
  return isValid;
};

/** `x-file`: the value is an uploaded file, optionally of given types and a maximum size, or null. */
export const fileKeyword: FuncKeywordDefinition = {
  keyword: 'x-file',
  schemaType: 'object',
  validate: isFile,
};

/** Returns the error message for a value that breaks the rule. */
function describeRule({ types, maxSize, isNullable = false }: FileRule): string {
  const constraints = [
    ...(types === undefined ? [] : [` of the type ${types.join(' or ')}`]),
    ...(maxSize === undefined ? [] : [` of at most ${maxSize} bytes`]),
  ];
  return `must be ${isNullable ? 'null, or ' : ''}a file${constraints.join(',')}, in a form (multipart/form-data)`;
}

/** Ignores the parameters of a type. A range may have a star instead of the subtype, or of both (RFC 9110, 12.5.1). */
function matchesRange(type: string, range: string): boolean {
  const [essence = ''] = type.toLowerCase().split(';');
  const expected = range.toLowerCase();
  if (expected === '*/*') return true;
  return expected.endsWith('/*') ? essence.startsWith(expected.slice(0, -1)) : essence.trim() === expected;
}

/**
 * Returns the schema to validate with: a file field, documented as a binary string, becomes a file. Unchanged if
 * there is none.
 */
export function withFiles(schema: object): object {
  return JSON.stringify(schema).includes('"x-file"') ? replaceFiles({ ...schema }) : schema;
}

/** Visits schemas only: a map of members may have the name of the keyword. */
function replaceFiles(schema: SchemaNode): SchemaNode {
  if (!Object.hasOwn(schema, 'x-file')) return mapSubschemas(schema, replaceFiles);
  const rule = objectOf(schema['x-file']);
  return { 'x-file': [schema.type].flat().includes('null') ? { ...rule, isNullable: true } : rule };
}
