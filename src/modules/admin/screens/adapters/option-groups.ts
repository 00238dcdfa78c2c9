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

/** Open if one of their options is set. */
const OPTIONAL = ['Database table', 'More'];

const COLLAPSIBLE = ['Basic', 'Digest', ...OPTIONAL];

/**
 * Groups the fields in their order. A collapsible group is open if it has errors or values, or if its scheme is
 * selected.
 */
export function groupFields(
  fields: readonly FilledField[],
  errors: readonly FieldError[],
): readonly FieldGroup[] {
  const schemes = fields.find(({ name }) => name === '/options/accept_schemes')?.chosen ?? [];
  return [...new Set(fields.map(({ group }) => group))].map((title) => {
    const own = fields.filter(({ group }) => group === title);
    const isCollapsible = COLLAPSIBLE.includes(title);
    const hasErrors = own.some(({ name }) => errors.some(({ pointer }) => pointer === name));
    const isSelected = schemes.includes(JSON.stringify(title.toLowerCase()));
    const isSet =
      OPTIONAL.includes(title) && own.some(({ value, chosen }) => value !== '' || chosen.some(Boolean));
    return {
      title,
      fields: own,
      isCollapsible,
      isOpen: !isCollapsible || hasErrors || isSelected || isSet,
    };
  });
}
