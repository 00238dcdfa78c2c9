import { checkBcryptPassword, checkName, PasswordEditError } from '../../mvc-auth';
import { invalid, type FieldError } from '../changes/field-errors';

const MIN_PASSWORD_LENGTH = 8;

/**
 * Returns the new password of a form with the fields `password` and `again`.
 * @throws Problem 422 with `errors` for an invalid name or password
 */
export function newPassword(form: URLSearchParams, name: string): string {
  const password = form.get('password') ?? '';
  const errors = [
    ...errorsOf('/name', () => checkName('user name', name)),
    ...errorsOf('/password', () => checkBcryptPassword(password)),
  ];
  const isPasswordValid = errors.every(({ pointer }) => pointer !== '/password');
  if (isPasswordValid && password.length < MIN_PASSWORD_LENGTH)
    errors.push({
      pointer: '/password',
      message: `Use at least ${MIN_PASSWORD_LENGTH} characters.`,
    });
  else if (isPasswordValid && password !== (form.get('again') ?? ''))
    errors.push({ pointer: '/again', message: 'The passwords do not match.' });
  if (errors.length > 0) throw invalid(errors);
  return password;
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
