import { fullFormats } from 'ajv-formats/dist/formats';
import { isObject } from '../../../framework';
import type { JsonSchema } from '../../documentation';
import { childPointer } from './json';
import type { ImportWarnings } from '../import-warnings';
import { PatternFilter, unicodePattern } from './patterns';

/** Keywords of OpenAPI that JSON Schema does not have. */
const OPENAPI_KEYWORDS: readonly string[] = ['xml', 'externalDocs'];

/** Keywords of schema documents, which have no meaning in an embedded schema. */
const DOCUMENT_KEYWORDS: readonly string[] = [
  '$schema',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$vocabulary',
  '$comment',
];

const NULLABLE_KEYWORDS: readonly string[] = ['default', 'const', 'example'];

/** Converts the keywords of OpenAPI schemas to JSON Schema 2020-12. */
export class KeywordConverter {
  readonly #warnings: ImportWarnings;
  readonly #patterns: PatternFilter;

  constructor(warnings: ImportWarnings) {
    this.#warnings = warnings;
    this.#patterns = new PatternFilter(warnings);
  }

  /**
   * Converts the keywords of one schema, its subschemas excluded.
   * @param pointer JSON Pointer of the schema
   */
  convert(schema: JsonSchema, pointer: string): JsonSchema {
    const { nullable, example, exclusiveMinimum, exclusiveMaximum, ...declared } = schema;
    const { pattern } = declared;
    const rest = typeof pattern === 'string' ? { ...declared, pattern: unicodePattern(pattern) } : declared;
    const supported = Object.entries(rest).filter(([keyword, value]) =>
      this.#isSupported(keyword, value, pointer),
    );
    return convertNullable(nullable === true, {
      ...Object.fromEntries(supported),
      ...this.#patterns.properties(rest.patternProperties, childPointer(pointer, 'patternProperties')),
      ...convertLimit('minimum', 'exclusiveMinimum', exclusiveMinimum, rest),
      ...convertLimit('maximum', 'exclusiveMaximum', exclusiveMaximum, rest),
      ...(example === undefined || rest.examples !== undefined ? {} : { examples: [example] }),
    });
  }

  #isSupported(keyword: string, value: unknown, pointer: string): boolean {
    if (DOCUMENT_KEYWORDS.includes(keyword)) return false;
    // A YAML key without a value.
    if (value === null && !NULLABLE_KEYWORDS.includes(keyword)) return false;
    if (keyword.startsWith('x-') || OPENAPI_KEYWORDS.includes(keyword)) {
      this.#warnings.add(`"${keyword}" of a schema`, pointer);
      return false;
    }
    if (keyword === 'discriminator' && !isDiscriminator(value)) {
      this.#warnings.add('"discriminator" of a schema without "propertyName"', pointer);
      return false;
    }
    if (keyword === 'format' && typeof value === 'string' && !Object.hasOwn(fullFormats, value)) {
      this.#warnings.add(`unknown format "${value}"`, pointer);
      return false;
    }
    return keyword !== 'pattern' || this.#patterns.accepts(value, childPointer(pointer, 'pattern'));
  }
}

function isDiscriminator(value: unknown): boolean {
  return isObject(value) && typeof value.propertyName === 'string';
}

/** Converts an exclusive limit: a boolean next to the limit in OpenAPI 3.0, the limit itself in JSON Schema 2020-12. */
function convertLimit(inclusive: string, exclusive: string, value: unknown, schema: JsonSchema): JsonSchema {
  if (typeof value === 'number') return { [exclusive]: value };
  return value === true ? { [exclusive]: schema[inclusive], [inclusive]: undefined } : {};
}

/** Converts `nullable` of OpenAPI 3.0. */
function convertNullable(nullable: boolean, schema: JsonSchema): JsonSchema {
  const defined = Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
  if (!nullable) return defined;
  const { type, enum: values, ...rest } = defined;
  if (typeof type !== 'string') return withNull(defined);
  const choices = Array.isArray(values) && !values.includes(null) ? [...(values as unknown[]), null] : values;
  return { type: [type, 'null'], ...(choices === undefined ? {} : { enum: choices }), ...rest };
}

/** A schema, or null. The default may be null, and validators ignore those of branches. */
export function withNull({ default: preset, ...schema }: JsonSchema): JsonSchema {
  return { ...(preset === undefined ? {} : { default: preset }), anyOf: [schema, { type: 'null' }] };
}
