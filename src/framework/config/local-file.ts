/** The file that the admin pages write, from the project's root. */
export const LOCAL_FILE = 'config/autoload/local.json';
