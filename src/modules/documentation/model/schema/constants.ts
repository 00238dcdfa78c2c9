import { isSchema } from '../../../../framework';
import type { JsonSchema } from '../data';
import type { Constraint, ValueAnnotation } from './constraints';

/** Returns the values of a branch that is only a constant or a choice. */
export function constantsOf(branch: unknown): readonly unknown[] {
  if (!isSchema(branch)) return [];
  const { const: constant, enum: choices, type: _type, title: _title, description: _text, ...rest } = branch;
  if (Object.keys(rest).length > 0) return [];
  if (constant !== undefined) return [constant];
  return Array.isArray(choices) ? (choices as unknown[]) : [];
}

/** Adds the titles and descriptions of constants to the choices of a schema. */
export function annotate(
  constraints: readonly Constraint[],
  constants: readonly JsonSchema[],
): readonly Constraint[] {
  const described = constants.filter(({ title, description }) => textOf(title) + textOf(description) !== '');
  if (described.length === 0) return constraints;
  const byValue = new Map(
    described.flatMap((one) =>
      constantsOf(one).map((value): [string, ValueAnnotation] => [
        JSON.stringify(value),
        { title: textOf(one.title), description: textOf(one.description) },
      ]),
    ),
  );
  const annotationOf = (value: unknown): ValueAnnotation =>
    byValue.get(JSON.stringify(value)) ?? { title: '', description: '' };
  return constraints.map((constraint) =>
    constraint.keyword === 'enum'
      ? { ...constraint, annotations: constraint.values.map(annotationOf) }
      : constraint,
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
