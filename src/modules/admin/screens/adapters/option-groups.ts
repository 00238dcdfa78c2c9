import type { FieldError } from '../../changes/field-errors';
import type { FilledField } from './option-values';

/** A group of form fields. */
export interface FieldGroup {
  /** Empty for the first group. */
  readonly title: string;
  readonly fields: readonly FilledField[];
  /** Whether it can be collapsed. */
  readonly isCollapsible: boolean;
  readonly isOpen: boolean;
}

const MORE = 'More';

/** Open if one of their options is set. */
const OPTIONAL = ['Database table', MORE];

const COLLAPSIBLE = ['Basic', 'Digest'];

/**
 * Groups the fields in their order. A collapsible group is open if it has errors or values, or if its scheme is
 * selected.
 */
export function groupFields(
  fields: readonly FilledField[],
  errors: readonly FieldError[],
): readonly FieldGroup[] {
  const schemes = fields.find(({ name }) => name === '/options/accept_schemes')?.chosen ?? [];
  const titles = new Set(fields.map(({ group }) => group));
  // The last one, wherever its options are declared.
  const ordered = titles.delete(MORE) ? [...titles, MORE] : [...titles];
  return ordered.map((title) => {
    const own = fields.filter(({ group }) => group === title);
    const isRare = OPTIONAL.includes(title) || own.every((field) => field.isRare);
    const isCollapsible = isRare || COLLAPSIBLE.includes(title);
    const hasErrors = own.some(({ name }) => errors.some(({ pointer }) => pointer === name));
    const isSelected = schemes.includes(JSON.stringify(title.toLowerCase()));
    const isSet = isRare && own.some(({ value, chosen }) => value !== '' || chosen.some(Boolean));
    return {
      title,
      fields: own,
      isCollapsible,
      isOpen: !isCollapsible || hasErrors || isSelected || isSet,
    };
  });
}
