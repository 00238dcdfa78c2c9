import type { AccessView, OperationAccess, RuleChange } from '../../actions/access/access-view';
import { isPolicyRule, type AccessRule } from '../../../mvc-auth';
import { ruleErrors } from '../../actions/access/access-rule';
import { invalid } from '../../changes/field-errors';

/** A form row with the rule of an operation. */
export interface RuleRow extends OperationAccess {
  /** The field name of the choice. */
  readonly field: string;
  /** The field name of the list of names. */
  readonly namesField: string;
  /** The pointer of its errors. */
  readonly pointer: string;
  /** `unset`, `guest`, `authenticated`, `names` or `policy`. */
  readonly choice: string;
  /** The kind of the effective rule, as `choice` names it. */
  readonly effectiveChoice: string;
  /** Separated by commas. */
  readonly names: string;
  /** The policy in the current rule of this version; undefined for none. */
  readonly policy: string | undefined;
  /** Descriptions of the rules. */
  readonly rules: { readonly effective: string; readonly inherited: string };
}

/** Returns the rows of a version with the submitted values, or the current ones. */
export function ruleRows(view: AccessView, submitted?: URLSearchParams): readonly RuleRow[] {
  return operationsOf(view).map((operation, at) => {
    const [field, namesField] = fieldsOf(operation);
    const { own } = operation;
    return {
      ...operation,
      field,
      namesField,
      pointer: `/${at}/rule`,
      choice: submitted?.get(field) ?? choiceOf(own),
      effectiveChoice: choiceOf(operation.effective.rule),
      names: submitted?.get(namesField) ?? namesOf(own),
      policy: policyIn(own),
      rules: {
        effective: describeRule(operation.effective.rule),
        inherited: describeRule(operation.inherited.rule),
      },
    };
  });
}

/** Reads the rules of a form, in the order of the operations. Operations that the form lacks keep their rule. */
export function rulesIn(view: AccessView, form: URLSearchParams): readonly RuleChange[] {
  return operationsOf(view).map(({ service, part, method, own }) => {
    const operation = { service, part, method };
    const [field, namesField] = fieldsOf(operation);
    const choice = form.get(field);
    return { ...operation, rule: ruleOf(choice, form.get(namesField) ?? '', own) };
  });
}

/** The fields of a bulk change. */
export const BULK = {
  field: 'bulk',
  choice: 'bulk-rule',
  names: 'bulk-names',
  pointer: '/bulk-rule',
} as const;

/** Reads the rule of a bulk change. @throws Problem 422 for invalid names */
export function bulkRules(rows: readonly RuleRow[], form: URLSearchParams): readonly RuleChange[] {
  const rule = ruleOf(form.get(BULK.choice) ?? 'unset', form.get(BULK.names) ?? '', undefined);
  const errors = ruleErrors(rule, BULK.pointer);
  if (errors.length > 0) throw invalid(errors);
  return rows.map(({ service, part, method }) => ({ service, part, method, rule }));
}

function describeRule(rule: AccessRule): string {
  if (rule === 'guest') return 'everyone';
  if (rule === 'authenticated') return 'every signed-in user';
  return isPolicyRule(rule) ? `users allowed by the policy "${rule.policy}"` : rule.join(', ') || 'nobody';
}

function policyIn(rule: AccessRule | undefined): string | undefined {
  return rule !== undefined && isPolicyRule(rule) ? rule.policy : undefined;
}

function operationsOf({ services }: AccessView): readonly OperationAccess[] {
  return services.flatMap(({ operations }) => operations);
}

function fieldsOf({
  service,
  part,
  method,
}: Pick<OperationAccess, 'service' | 'part' | 'method'>): readonly [string, string] {
  const name = `${service}.${part}.${method}`;
  return [`rule:${name}`, `names:${name}`];
}

function choiceOf(own: AccessRule | undefined): string {
  if (own === undefined) return 'unset';
  if (typeof own === 'string') return own;
  return isPolicyRule(own) ? 'policy' : 'names';
}

function namesOf(own: AccessRule | undefined): string {
  return Array.isArray(own) ? own.join(', ') : '';
}

/**
 * A form can keep a policy and names with commas, but not enter them. Without JavaScript, other names with an unchanged
 * option imply "These users and groups".
 */
function ruleOf(choice: string | null, names: string, own: AccessRule | undefined): AccessRule | undefined {
  const isSame = choice === choiceOf(own);
  const list = names.split(/[,\n]/).map((name) => name.trim());
  const entered = [...new Set(list.filter((name) => name !== ''))];
  const isOther = names !== namesOf(own) && (choice === 'names' || entered.length > 0);
  if (choice === null || (isSame && !isOther)) return own;
  if (choice === 'names' || isSame) return entered;
  return choice === 'guest' || choice === 'authenticated' ? choice : undefined;
}
