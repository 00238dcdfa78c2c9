import type { AccessView, OperationAccess, WantedRule } from '../actions/access/access-view';
import type { AccessRule } from '../../mvc-auth';

/** A row of the grid as a form has it. */
export interface RuleRow extends OperationAccess {
  /** The names of its fields. */
  readonly field: string;
  readonly namesField: string;
  /** Where its errors point. */
  readonly pointer: string;
  /** What is chosen: `unset`, `guest`, `authenticated` or `names`. */
  readonly choice: string;
  /** The names, with commas between. */
  readonly names: string;
  /** The rules that count, in words. */
  readonly told: { readonly inForce: string; readonly inherited: string };
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
      told: { inForce: tellRule(operation.inForce.rule), inherited: tellRule(operation.inherited.rule) },
    };
  });
}

/** The rules that a form wants, one for each operation in the grid's order; one that it lacks stays. */
export function rulesIn(view: AccessView, form: URLSearchParams): readonly WantedRule[] {
  return operationsOf(view).map(({ service, part, method, own }) => {
    const operation = { service, part, method };
    const [field, namesField] = fieldsOf(operation);
    const choice = form.get(field);
    return { ...operation, rule: choice === null ? own : ruleOf(choice, form.get(namesField) ?? '') };
  });
}

/** Who may, in words. */
function tellRule(rule: AccessRule): string {
  if (rule === 'guest') return 'everyone';
  return rule === 'authenticated' ? 'every user' : rule.join(', ');
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
  return typeof own === 'string' ? own : 'names';
}

function ruleOf(choice: string, names: string): AccessRule | undefined {
  if (choice === 'guest' || choice === 'authenticated') return choice;
  if (choice !== 'names') return undefined;
  const list = names.split(/[,\n]/).map((name) => name.trim());
  return [...new Set(list.filter((name) => name !== ''))];
}
