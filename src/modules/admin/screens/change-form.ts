import type { FieldError } from '../changes/field-errors';
import { fieldErrorsOf } from '../pages/forms/form-errors';
import type { Change } from '../changes/change';
import type { Problem, ViewModel } from '../../../framework';
import type { PageContext, PageResult } from '../pages/admin-page';

/** A form that changes the configuration. */
export interface ChangeForm {
  readonly prepare: () => Promise<Change>;
  /** The page to redirect to after the change, below the admin. */
  readonly done: string;
  /** Shows the form with errors. */
  readonly showForm: (errors: readonly FieldError[]) => ViewModel;
}

/** Proposes the change of a form. The field `tag` contains the tag of the subject. */
export function proposeChange(
  context: PageContext,
  { prepare, done, showForm }: ChangeForm,
): Promise<PageResult> {
  return context.propose(prepare, {
    done,
    ifMatch: context.form.get('tag') ?? undefined,
    invalid: (problem: Problem) => showForm(fieldErrorsOf(problem)),
  });
}
