import {
  listOf,
  isObject,
  isSecretSchema,
  formatPointer,
  objectOf,
  valueAt,
  type ConfigObject,
  type ConfigValue,
} from '../../../../framework';
import type { SecretOption } from '../../actions/adapters/option-secrets';

/** The control of a field. */
type Control =
  'text' | 'number' | 'checkbox' | 'select' | 'checkboxes' | 'lines' | 'json' | 'secret' | 'secret-json';

interface Choice {
  /** The submitted text. */
  readonly value: string;
  readonly label: string;
  readonly configValue: ConfigValue;
}

/** A field for one option of an adapter. */
export interface OptionField {
  /** The keys below the options; empty for the field of all options without a field of their own. */
  readonly path: readonly string[];
  /** The field name, which is also the pointer of its errors: `/options/realm`. */
  readonly name: string;
  readonly control: Control;
  readonly label: string;
  readonly hint: string;
  readonly isRequired: boolean;
  /** Whether an option that is not set means yes: the `default` of its schema is true. */
  readonly isOnByDefault: boolean;
  readonly choices: readonly Choice[];
  /** The heading of its group; empty for none. */
  readonly group: string;
  /** Whether its group is collapsed while none of its options is set. */
  readonly isRare: boolean;
}

/** A JSON Schema object. */
type Schema = Readonly<Record<string, unknown>>;

/**
 * Creates form fields from the JSON Schema of options: texts, numbers, booleans, choices and lists of them, and objects
 * one level deep. Everything else is edited as JSON. A `title` is the label of an option; a `group` collects options that
 * are rarely set under a heading.
 *
 * @param current the options that the form edits: an object that the fields of its members cannot express is JSON
 */
export function optionFields(
  schema: unknown,
  isSecret: SecretOption,
  current: ConfigObject = {},
): readonly OptionField[] {
  const fields = membersOf(schema).flatMap((member): readonly OptionField[] => {
    const inner = isHidden(member.schema, [member.key], isSecret) ? [] : membersOf(member.schema);
    if (inner.length === 0 || !areAllOf(valueAt(current, [member.key]), inner))
      return [fieldOf(member, [member.key], '', isSecret)];
    const group = titleOf(member);
    // An object that is not required stays away if all of its fields are empty.
    return inner.map((one) =>
      fieldOf(
        { ...one, isRequired: one.isRequired && member.isRequired },
        [member.key, one.key],
        group,
        isSecret,
      ),
    );
  });
  const isClosed = isObject(schema) && schema.additionalProperties === false;
  return isClosed ? fields : [...fields, others(fields.length === 0)];
}

/** Whether fields for members express a value: nothing of it would be lost, neither that it is an empty object. */
function areAllOf(value: ConfigValue | undefined, members: readonly Member[]): boolean {
  if (value === undefined) return true;
  const keys = Object.keys(objectOf(value));
  return keys.length > 0 && keys.every((name) => members.some(({ key }) => key === name));
}

interface Member {
  readonly key: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

function membersOf(schema: unknown): readonly Member[] {
  if (!isObject(schema) || !isObject(schema.properties)) return [];
  const required = listOf(schema.required);
  return Object.entries(schema.properties).flatMap(([key, member]) =>
    isObject(member) ? [{ key, schema: member, isRequired: required.includes(key) }] : [],
  );
}

function fieldOf(
  member: Member,
  path: readonly string[],
  group: string,
  isSecret: SecretOption,
): OptionField {
  const { schema, isRequired } = member;
  const control = controlOf(schema);
  const secret = control === 'text' ? 'secret' : 'secret-json';
  const { description, hint, group: own } = schema;
  const isRare = typeof own === 'string' && !isRequired;
  const choices = choicesOf(control === 'checkboxes' ? schema.items : schema);
  return {
    path,
    name: formatPointer(['options', ...path]),
    control: isHidden(schema, path, isSecret) ? secret : control,
    label: titleOf(member),
    // The hint of a choice lists what can be chosen.
    hint: [description, ...(choices.length > 0 ? [] : [hint]), defaultHint(schema.default)]
      .filter((text) => typeof text === 'string')
      .join(' '),
    isRequired,
    isOnByDefault: schema.default === true,
    choices,
    group: group === '' && isRare ? own : group,
    isRare,
  };
}

/** `Defaults to 3.`; undefined without a default, and for yes and no, which the checkbox shows. */
function defaultHint(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'boolean') return undefined;
  return `Defaults to ${typeof value === 'string' ? value : JSON.stringify(value)}.`;
}

function others(areAll: boolean): OptionField {
  return {
    path: [],
    name: '/options',
    control: 'json',
    label: areAll ? 'Options' : 'Other options',
    hint: 'A JSON object.',
    isRequired: false,
    isOnByDefault: false,
    choices: [],
    group: '',
    isRare: false,
  };
}

function isHidden(schema: Schema, path: readonly string[], isSecret: SecretOption): boolean {
  return isSecretSchema(schema) || isSecret(path);
}

function titleOf({ key, schema }: Member): string {
  if (typeof schema.title === 'string') return schema.title;
  const words = key.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ');
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
}

function controlOf(schema: Schema): Control {
  if (choicesOf(schema).length > 0) return 'select';
  switch (schema.type) {
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'checkbox';
    case 'array':
      if (choicesOf(schema.items).length > 0) return 'checkboxes';
      return isObject(schema.items) && schema.items.type === 'string' ? 'lines' : 'json';
    default:
      return 'json';
  }
}

function choicesOf(schema: unknown): readonly Choice[] {
  if (!isObject(schema)) return [];
  const { enum: values, anyOf } = schema;
  const branches = listOf(anyOf);
  const constants = branches.flatMap((branch) =>
    isObject(branch) && branch.const !== undefined ? [branch.const as ConfigValue] : [],
  );
  const allowed: readonly ConfigValue[] = Array.isArray(values)
    ? values
    : constants.length === branches.length
      ? constants
      : [];
  return allowed.map((one) => ({
    value: JSON.stringify(one),
    label: typeof one === 'string' ? one : JSON.stringify(one),
    configValue: one,
  }));
}
