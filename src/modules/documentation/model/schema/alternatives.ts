import { isSchema } from '../../../../framework';
import type { Facets, UnionFacet } from './facets';

/** Returns the member that distinguishes the alternatives: the declared one, or one with a constant in each. */
export function discriminatorOf({ discriminator }: UnionFacet, alternatives: readonly Facets[]): string {
  if (discriminator !== '') return discriminator;
  const [first, ...others] = alternatives;
  if (first === undefined || others.length === 0) return '';
  const candidates = [...first.members.keys()].filter((name) => {
    const values = alternatives.map((one) => constantOf(one, name));
    const isConstant = values.every((value) => value !== undefined);
    return isConstant && new Set(values.map((value) => JSON.stringify(value))).size === values.length;
  });
  return candidates[0] ?? '';
}

/** Returns a unique label for each alternative. @param mapping values of the discriminator by reference */
export function alternativeLabels(
  alternatives: readonly Facets[],
  discriminator: string,
  mapping: UnionFacet['mapping'] = new Map(),
): readonly string[] {
  const used = new Set<string>();
  return alternatives.map((alternative, at) => {
    const mapped = mapping.get(alternative.reference) ?? mapping.get(alternative.name);
    const base = mapped ?? (labelOf(alternative, discriminator) || `Alternative ${at + 1}`);
    let label = base;
    for (let count = 2; used.has(label); count += 1) label = `${base} (${count})`;
    used.add(label);
    return label;
  });
}

function labelOf(alternative: Facets, discriminator: string): string {
  const constant = discriminator === '' ? undefined : constantOf(alternative, discriminator);
  if (typeof constant === 'string' && constant !== '') return constant;
  if (alternative.name !== '') return alternative.name;
  const title = alternative.parts.map((part) => part.title).find((text) => typeof text === 'string');
  if (typeof title === 'string' && title !== '') return title;
  const required = [...alternative.members].filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  const isObject = alternative.types.length === 0 || alternative.types.includes('object');
  if (isObject && required.length > 0 && required.length <= MAX_NAMES) return `with ${required.join(', ')}`;
  return alternative.types.join(' or ');
}

/** Maximum number of member names in a label. */
const MAX_NAMES = 3;

/** Returns the only value of a member; undefined if there are several. */
function constantOf({ members }: Facets, name: string): unknown {
  for (const schema of members.get(name)?.schemas ?? []) {
    if (!isSchema(schema)) continue;
    if (schema.const !== undefined) return schema.const;
    if (Array.isArray(schema.enum) && schema.enum.length === 1) return schema.enum[0] as unknown;
  }
  return undefined;
}
