import { fullFormats } from 'ajv-formats/dist/formats';
import type { JsonSchema } from '../documentation';
import { below, isObject } from './json';
import type { Losses } from './losses';
import { limit, withNull } from './older-keywords';
import { Patterns } from './patterns';

/** Members of OpenAPI's schemas that JSON Schema does not know. */
const OF_OPENAPI: readonly string[] = ['discriminator', 'xml', 'externalDocs'];

/** Members by which one schema may be a document of its own; here it is part of another. */
const OF_DOCUMENTS: readonly string[] = [
  '$schema',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$vocabulary',
  '$comment',
];

const MAY_BE_NULL: readonly string[] = ['default', 'const', 'example'];

/** The keywords of OpenAPI's schemas as JSON Schema (2020-12) has them. */
export class Keywords {
  readonly #losses: Losses;
  readonly #patterns: Patterns;

  constructor(losses: Losses) {
    this.#losses = losses;
    this.#patterns = new Patterns(losses);
  }

  /**
   * Those of one schema; the schemas in it are still to be converted.
   * @param pointer where it stands
   */
  of(schema: JsonSchema, pointer: string): JsonSchema {
    const { nullable, example, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
    this.#noteOneWay(rest, pointer);
    const kept = Object.entries(rest).filter(([keyword, value]) => this.#isKept(keyword, value, pointer));
    return withNull(nullable === true, {
      ...Object.fromEntries(kept),
      ...this.#patterns.properties(rest.patternProperties, below(pointer, 'patternProperties')),
      ...limit('minimum', 'exclusiveMinimum', exclusiveMinimum, rest),
      ...limit('maximum', 'exclusiveMaximum', exclusiveMaximum, rest),
      ...(example === undefined || rest.examples !== undefined ? {} : { examples: [example] }),
    });
  }

  /** A schema is the same in requests and in answers here; what is required of one alone is not (OpenAPI 3.0, `readOnly`). */
  #noteOneWay({ properties, required }: JsonSchema, pointer: string): void {
    if (!isObject(properties) || !Array.isArray(required)) return;
    for (const [name, member] of Object.entries(properties)) {
      if (!isObject(member) || !required.includes(name)) continue;
      const where = member.readOnly === true ? 'answers' : member.writeOnly === true ? 'requests' : undefined;
      const place = below(below(pointer, 'properties'), name);
      if (where !== undefined) this.#losses.note(`that a member is required in ${where} only`, place);
    }
  }

  #isKept(keyword: string, value: unknown, pointer: string): boolean {
    if (OF_DOCUMENTS.includes(keyword)) return false;
    // A keyword of YAML with nothing behind it.
    if (value === null && !MAY_BE_NULL.includes(keyword)) return false;
    if (keyword.startsWith('x-') || OF_OPENAPI.includes(keyword)) {
      this.#losses.note(`"${keyword}" of a schema`, pointer);
      return false;
    }
    if (keyword === 'format' && typeof value === 'string' && !Object.hasOwn(fullFormats, value)) {
      this.#losses.note(`the format "${value}"`, pointer);
      return false;
    }
    return keyword !== 'pattern' || this.#patterns.isKept(value, below(pointer, 'pattern'));
  }
}
