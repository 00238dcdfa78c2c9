import type { FieldError } from '../../changes/field-errors';
import type { FilledField } from './option-values';

/** Fields that stand together in a form. */
export interface FieldGroup {
  /** Empty for those that stand before all. */
  readonly title: string;
  readonly fields: readonly FilledField[];
  /** Whether it can be folded away: its options need not be set. */
  readonly isFolding: boolean;
  readonly isOpen: boolean;
}

const FOLDING = ['Basic', 'Digest', 'More'];

/**
 * The groups of a form in the order of its fields. What can be folded away is open where it holds something wrong
 * or something set, and where its scheme is chosen.
 */
export function groupFields(
  fields: readonly FilledField[],
  errors: readonly FieldError[],
): readonly FieldGroup[] {
  const schemes = fields.find(({ name }) => name === '/options/accept_schemes')?.chosen ?? [];
  return [...new Set(fields.map(({ group }) => group))].map((title) => {
    const own = fields.filter(({ group }) => group === title);
    const isFolding = FOLDING.includes(title);
    const isWrong = own.some(({ name }) => errors.some(({ pointer }) => pointer === name));
    const isChosen = schemes.includes(JSON.stringify(title.toLowerCase()));
    const isSet = title === 'More' && own.some(({ value, chosen }) => value !== '' || chosen.some(Boolean));
    return { title, fields: own, isFolding, isOpen: !isFolding || isWrong || isChosen || isSet };
  });
}
