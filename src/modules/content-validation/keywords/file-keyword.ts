import type { FuncKeywordDefinition } from 'ajv/dist/2020';
import type { SchemaValidateFunction } from 'ajv/dist/types';
import { UploadedFile } from '../../content-negotiation';

/** What `fileField` writes into its schema. */
interface FileRule {
  readonly types?: readonly string[];
  readonly maxSize?: number;
}

const isFile: SchemaValidateFunction = (rule: FileRule, value: unknown) => {
  const { types, maxSize } = rule;
  const fitting =
    value instanceof UploadedFile &&
    (types === undefined || types.some((range) => fits(value.type, range))) &&
    (maxSize === undefined || value.size <= maxSize);
  // Where Ajv looks for what a keyword has to say (its guide to user-defined keywords, `validate`).
  isFile.errors = fitting ? [] : [{ keyword: 'x-file', message: explain(rule), params: {} }];
  return fitting;
};

/** `x-file`: the value is a file that came with a form, of one of these types, of at most so many bytes. */
export const fileKeyword: FuncKeywordDefinition = {
  keyword: 'x-file',
  schemaType: 'object',
  validate: isFile,
};

/** What is wrong with what is no such file, in words. */
function explain({ types, maxSize }: FileRule): string {
  const wants = [
    ...(types === undefined ? [] : [` of the type ${types.join(' or ')}`]),
    ...(maxSize === undefined ? [] : [` of at most ${maxSize} bytes`]),
  ];
  return `must be a file${wants.join(',')}, in a form (multipart/form-data)`;
}

/** Clients write a type with parameters at times; a range may end with a star. */
function fits(type: string, range: string): boolean {
  const [essence = ''] = type.toLowerCase().split(';');
  const wanted = range.toLowerCase();
  return wanted.endsWith('/*') ? essence.startsWith(wanted.slice(0, -1)) : essence.trim() === wanted;
}

/**
 * A schema as it is validated: what the documentation shows as text in binary is here a file, and no text. Equal
 * when there is no file in it.
 */
export function withFiles(schema: object): object {
  return JSON.stringify(schema).includes('"x-file"') ? replaceFiles(schema) : schema;
}

function replaceFiles(schema: object): object {
  if ('x-file' in schema) return { 'x-file': schema['x-file'] };
  return Object.fromEntries(Object.entries(schema).map(([name, inner]) => [name, replaceWithin(inner)]));
}

function replaceWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(replaceWithin);
  return typeof value === 'object' && value !== null ? replaceFiles(value) : value;
}
