import type { AccessView, OperationAccess, WantedRule } from '../../actions/access/access-view';
import { isPolicyRule, type AccessRule } from '../../../mvc-auth';

/** A row of the grid as a form has it. */
export interface RuleRow extends OperationAccess {
  /** The names of its fields. */
  readonly field: string;
  readonly namesField: string;
  /** Where its errors point. */
  readonly pointer: string;
  /** What is chosen: `unset`, `guest`, `authenticated`, `names` or `policy`. */
  readonly choice: string;
  /** The names, with commas between. */
  readonly names: string;
  /** The policy that this version's rule names, which may stay; undefined for none. */
  readonly policy: string | undefined;
  /** The rules that count, in words. */
  readonly rules: { readonly effective: string; readonly inherited: string };
}

/** The rows of a version's grid, as they are or as they were typed. */
export function ruleRows(view: AccessView, typed?: URLSearchParams): readonly RuleRow[] {
  return operationsOf(view).map((operation, at) => {
    const [field, namesField] = fieldsOf(operation);
    const { own } = operation;
    return {
      ...operation,
      field,
      namesField,
      pointer: `/${at}/rule`,
      choice: typed?.get(field) ?? choiceOf(own),
      names: typed?.get(namesField) ?? (Array.isArray(own) ? own.join(', ') : ''),
      policy: policyIn(own),
      rules: {
        effective: describeRule(operation.effective.rule),
        inherited: describeRule(operation.inherited.rule),
      },
    };
  });
}

/** The rules that a form wants, one for each operation in the grid's order; one that it lacks stays. */
export function rulesIn(view: AccessView, form: URLSearchParams): readonly WantedRule[] {
  return operationsOf(view).map(({ service, part, method, own }) => {
    const operation = { service, part, method };
    const [field, namesField] = fieldsOf(operation);
    const choice = form.get(field);
    return { ...operation, rule: ruleOf(choice, form.get(namesField) ?? '', own) };
  });
}

/** Who may, in words. */
function describeRule(rule: AccessRule): string {
  if (rule === 'guest') return 'everyone';
  if (rule === 'authenticated') return 'every signed-in user';
  return isPolicyRule(rule) ? `users allowed by the policy "${rule.policy}"` : rule.join(', ');
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

/** Which policies there are is no matter of a form: one that is named already may stay. */
function ruleOf(choice: string | null, names: string, own: AccessRule | undefined): AccessRule | undefined {
  if (choice === null || (choice === 'policy' && policyIn(own) !== undefined)) return own;
  if (choice === 'guest' || choice === 'authenticated') return choice;
  if (choice !== 'names') return undefined;
  const list = names.split(/[,\n]/).map((name) => name.trim());
  return [...new Set(list.filter((name) => name !== ''))];
}
