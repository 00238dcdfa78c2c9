import { checkBcryptPassword, checkName, PasswordEditError } from '../../mvc-auth';
import { invalid, type FieldError } from '../changes/field-errors';

const MIN_PASSWORD_LENGTH = 8;

/**
 * Returns the new password of a form with the fields `password` and `again`.
 * @throws Problem 422 with `errors` for an invalid name or password
 */
export function newPassword(form: URLSearchParams, name: string): string {
  const password = form.get('password') ?? '';
  const isRepeated = password === (form.get('again') ?? '');
  const again = { pointer: '/again', message: 'The passwords do not match.' };
  const errors = [...accountErrors(name, password), ...(isRepeated ? [] : [again])];
  if (errors.length > 0) throw invalid(errors);
  return password;
}

/** Returns the errors of the name and the new password of an administrator. */
export function accountErrors(name: string, password: string): readonly FieldError[] {
  return [
    ...errorsOf('/name', () => checkName('user name', name)),
    ...errorsOf('/password', () => {
      checkBcryptPassword(password);
      if (password.length < MIN_PASSWORD_LENGTH)
        throw new PasswordEditError(`Use at least ${MIN_PASSWORD_LENGTH} characters.`);
    }),
  ];
}

function errorsOf(pointer: string, check: () => void): FieldError[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof PasswordEditError) return [{ pointer, message: error.message }];
    throw error;
  }
}
