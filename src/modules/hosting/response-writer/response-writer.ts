import { lazily, type SchemaNode } from '../../../framework';
import { prune } from '../members/prune';
import { compileShape, type Shape } from '../members/response-shape';
import { isJsonValue } from '../schema/to-json-value';
import { planResponse } from './write-plan';
import { compileWriter, writerCode, type WriterFunctions } from './writer-code';

/**
 * Generated code for the usual responses of a schema. It covers plain objects and lists with the declared members, in
 * declaration order; everything else is left to filter, validator and `JSON.stringify`.
 */
export interface ResponseWriter extends WriterFunctions {
  /** Whether a value that is sent as it is matches its schema: nothing is left to the validator. */
  readonly isExact: boolean;
}

/** Creates response writers. Equal code is compiled once: it is optimized sooner, and stays in the processor's cache. */
export class ResponseWriters {
  readonly #compiled = new Map<string, WriterFunctions>();

  /**
   * @param schema of the response, with all that the platform adds to it
   * @param keepsUnknown whether undeclared members are sent
   * @returns undefined for a schema that generated code does not cover
   */
  of(schema: SchemaNode, keepsUnknown: boolean): ResponseWriter | undefined {
    const { plan, isExact } = planResponse(schema);
    if (plan.kind !== 'object' && plan.kind !== 'list') return undefined;
    const { text, others } = writerCode(plan);
    const shapes = others.map((other) => lazily(() => compileShape(schema, keepsUnknown, other)));
    if (shapes.length > 0) return { ...compile(text, shapes), isExact };
    const functions = this.#compiled.get(text) ?? compile(text, shapes);
    this.#compiled.set(text, functions);
    return { ...functions, isExact };
  }
}

function compile(text: string, shapes: readonly (() => Shape)[]): WriterFunctions {
  return compileWriter(text, {
    isSentWhole: (value, schema) => {
      const shape = shapes[schema]?.() ?? 'any';
      return isJsonValue(value) && prune(value, shape) === value;
    },
    otherText: (value) => (isJsonValue(value) ? JSON.stringify(value) : undefined),
  });
}
