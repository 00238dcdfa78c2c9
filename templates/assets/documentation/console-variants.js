// Alternatives of a value: one is chosen, and its inputs are shown beside those that are there in any case.
import { choice } from './console-inputs.js';
import { element } from './dom.js';

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const typeOf = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
/** The members of an alternative that have one value only, such as a discriminator. */
const constantsOf = ({ fields }) => fields.filter(({ schema }) => schema.enum?.length === 1);

/** How well a value belongs to an alternative: by its type, its constants, and the members that it has. */
function fit(alternative, value) {
  if (value === undefined) return 0;
  const types = [alternative.schema.type].flat().filter(Boolean);
  const type = typeOf(value);
  const isOfType =
    types.length === 0 || types.includes(type) || (type === 'number' && types.includes('integer'));
  if (!isOfType) return -1000;
  if (!isObject(value)) return 1;
  const wrong = constantsOf(alternative).filter(
    ({ name, schema }) => value[name] !== undefined && value[name] !== schema.enum[0],
  );
  const known = alternative.fields.filter(({ name }) => value[name] !== undefined);
  return known.length - 100 * wrong.length;
}

/** What a value begins with when an alternative is chosen; what it shares with the one before is kept. */
function begin(alternative, common, before) {
  if (alternative.items !== undefined) return [];
  if (alternative.fields.length === 0 && common.length === 0) {
    const [first] = alternative.schema.enum ?? [];
    return alternative.schema.type === 'string' ? (first ?? '') : (first ?? null);
  }
  const names = new Set([...common, ...alternative.fields].map(({ name }) => name));
  const kept = Object.entries(isObject(before) ? before : {}).filter(([name]) => names.has(name));
  const constants = constantsOf(alternative).map(({ name, schema }) => [name, schema.enum[0]]);
  return Object.fromEntries([...kept, ...constants]);
}

/**
 * A choice among the alternatives of a field.
 * @param part makes the inputs of a field at a path
 * @param change puts what a function makes of the value at a path in its place
 */
export function makeVariants(field, path, label, { part, change, idOf, titled }) {
  const { alternatives } = field;
  const common = field.fields.map((member) => [member.name, part(member, [...path, member.name])]);
  const chosen = choice(
    idOf(`alternative-${path.join('.')}`),
    label === '' ? 'Alternative' : `Alternative of ${label}`,
    alternatives.map(({ name }) => name),
  );
  const place = element('div');
  let current;
  let at = -1;
  const open = (next) => {
    if (next === at) return;
    current?.forget();
    at = next;
    current = part(alternatives[at], path, alternatives[at].name, true);
    place.replaceChildren(...[current.element].filter((one) => one !== ''));
    chosen.input.value = alternatives[at].name;
  };
  const best = (value) => {
    const fits = alternatives.map((one) => fit(one, value));
    const highest = Math.max(...fits);
    return at >= 0 && fits[at] === highest ? at : fits.indexOf(highest);
  };
  open(0);
  chosen.input.addEventListener('change', () => {
    const next = alternatives.findIndex(({ name }) => name === chosen.input.value);
    open(next);
    change(path, (before) => begin(alternatives[next], field.fields, before));
  });
  const parts = [...common.map(([, member]) => member.element), chosen.row, place];
  return {
    element: label === '' ? element('div', {}, ...parts) : titled(field, label, ...parts),
    input: chosen.input,
    show: (value) => {
      for (const [name, member] of common) member.show(Object(value)[name]);
      open(best(value));
      current.show(value);
    },
    forget: () => {
      current.forget();
      for (const [, member] of common) member.forget();
    },
  };
}
