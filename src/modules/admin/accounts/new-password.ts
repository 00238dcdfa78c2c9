import { problem } from '../../../framework';
import { checkBcryptPassword, checkName, PasswordEditError } from '../../mvc-auth';

/** Shorter ones are guessed. */
const MIN_PASSWORD_LENGTH = 8;

/** What is wrong with one field of a form. */
interface FieldError {
  readonly pointer: string;
  readonly message: string;
}

/**
 * The password that a form sets for a user: its fields are `password` and `again`.
 * @throws Problem 422 with `errors` for what is refused, by the same rules as the command line's, and length
 */
export function newPassword(form: URLSearchParams, name: string): string {
  const password = form.get('password') ?? '';
  const errors = [
    ...faultOf('/name', () => checkName('user name', name)),
    ...faultOf('/password', () => checkBcryptPassword(password)),
  ];
  const isPasswordFine = errors.every(({ pointer }) => pointer !== '/password');
  if (isPasswordFine && password.length < MIN_PASSWORD_LENGTH)
    errors.push({
      pointer: '/password',
      message: `Use at least ${MIN_PASSWORD_LENGTH} characters.`,
    });
  else if (isPasswordFine && password !== (form.get('again') ?? ''))
    errors.push({ pointer: '/again', message: 'The passwords do not match.' });
  if (errors.length > 0)
    throw problem('failed_validation', { count: errors.length }, { extensions: { errors } });
  return password;
}

function faultOf(pointer: string, check: () => void): FieldError[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof PasswordEditError) return [{ pointer, message: error.message }];
    throw error;
  }
}
