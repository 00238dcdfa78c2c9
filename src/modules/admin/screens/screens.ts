import type { AdminPage } from '../pages/admin-page';
import type { AdminServices } from '../services';
import { apiScreen } from './apis/apis-screen';
import { selectorsScreen } from './selectors/selectors-screen';
import { adaptersScreen } from './adapters/adapters-screen';
import { passwordFilesScreen } from './password-files-screen';
import { configurationScreen } from './configuration-screen';
import { listenersScreen } from './listeners-screen';
import { overviewScreen } from './overview-screen';
import { revisionsScreen } from './revisions-screen';

/** A screen of the admin: its pages over the services. */
export type Screen = (services: AdminServices) => readonly AdminPage[];

/** The screens, one file each. */
export const screens: readonly Screen[] = [
  overviewScreen,
  apiScreen,
  selectorsScreen,
  adaptersScreen,
  passwordFilesScreen,
  listenersScreen,
  configurationScreen,
  revisionsScreen,
];
