// Alternatives of a value (oneOf, anyOf): a select, the inputs of the selected one, and those of common members.
import { choice } from './console-inputs.js';
import { element } from './dom.js';
import { memberOf } from './member.js';
import { t } from './text.js';

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const typeOf = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
/** Returns the members of an alternative with a constant value, such as a discriminator. */
const constantsOf = ({ fields }) => fields.filter(({ schema }) => schema.enum?.length === 1);

/** Returns how well a value matches an alternative, by its type, its constants and its members. */
function matchScore(alternative, value) {
  if (value === undefined) return 0;
  const types = [alternative.schema.type].flat().filter(Boolean);
  const type = typeOf(value);
  const hasType =
    types.length === 0 || types.includes(type) || (type === 'number' && types.includes('integer'));
  if (!hasType) return -1000;
  if (!isObject(value)) return 1;
  const conflicting = constantsOf(alternative).filter(
    ({ name, schema }) => ![undefined, schema.enum[0]].includes(memberOf(value, name)),
  );
  const known = alternative.fields.filter(({ name }) => memberOf(value, name) !== undefined);
  return known.length - 100 * conflicting.length;
}

/** Returns the initial value of a selected alternative, with the members that it shares with the previous value. */
function initialValue(alternative, common, before) {
  if (alternative.items !== undefined) return [];
  if (alternative.fields.length === 0 && common.length === 0) {
    const [first] = alternative.schema.enum ?? [];
    return alternative.schema.type === 'string' ? (first ?? '') : (first ?? null);
  }
  const names = new Set([...common, ...alternative.fields].map(({ name }) => name));
  const shared = Object.entries(isObject(before) ? before : {}).filter(([name]) => names.has(name));
  const constants = constantsOf(alternative).map(({ name, schema }) => [name, schema.enum[0]]);
  return Object.fromEntries([...shared, ...constants]);
}

/**
 * Creates a select for the alternatives of a field.
 * @param part creates the inputs of a field at a path
 * @param change applies a function to the value at a path
 */
export function createVariants(field, path, label, { part, change, idOf, fieldset }) {
  const { alternatives } = field;
  const common = field.fields.map((member) => [member.name, part(member, [...path, member.name])]);
  const select = choice(
    idOf(`alternative-${path.join('.')}`),
    label === '' ? t('console.alternative') : t('console.alternativeOf', { name: label }),
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
    select.input.value = alternatives[at].name;
  };
  const best = (value) => {
    const scores = alternatives.map((one) => matchScore(one, value));
    const highest = Math.max(...scores);
    return at >= 0 && scores[at] === highest ? at : scores.indexOf(highest);
  };
  open(0);
  select.input.addEventListener('change', () => {
    const next = alternatives.findIndex(({ name }) => name === select.input.value);
    open(next);
    change(path, (before) => initialValue(alternatives[next], field.fields, before));
  });
  const parts = [...common.map(([, member]) => member.element), select.row, place];
  return {
    element: label === '' ? element('div', {}, ...parts) : fieldset(field, label, ...parts),
    input: select.input,
    show: (value) => {
      for (const [name, member] of common) member.show(memberOf(value, name));
      open(best(value));
      current.show(value);
    },
    forget: () => {
      current.forget();
      for (const [, member] of common) member.forget();
    },
  };
}
