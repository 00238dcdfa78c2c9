import type { AdminPage } from '../pages/admin-page';
import type { AdminServices } from '../services';
import { accessMapScreen } from './access-map/access-map-screen';
import { ruleTesterScreen } from './rule-tester/rule-tester-screen';
import { apiScreen } from './apis/apis-screen';
import { servicesScreen } from './services/services-screen';
import { selectorsScreen } from './selectors/selectors-screen';
import { auditScreen } from './audit-screen';
import { adaptersScreen } from './adapters/adapters-screen';
import { apiKeysScreen } from './api-keys-screen';
import { passwordFilesScreen } from './password-files-screen';
import { configurationScreen } from './configuration-screen';
import { databasesScreen } from './databases/databases-screen';
import { tableServiceScreen } from './databases/table-service-screen';
import { lifecycleScreen } from './lifecycle/lifecycle-screen';
import { nodesScreen } from './nodes/nodes-screen';
import { overviewScreen } from './overview/overview-screen';
import { revisionsScreen } from './revisions-screen';
import { tracesScreen } from './traces/traces-screen';

/** Creates the pages of a screen. */
export type Screen = (services: AdminServices) => readonly AdminPage[];

export const screens: readonly Screen[] = [
  overviewScreen,
  accessMapScreen,
  ruleTesterScreen,
  apiScreen,
  servicesScreen,
  selectorsScreen,
  adaptersScreen,
  passwordFilesScreen,
  apiKeysScreen,
  databasesScreen,
  tableServiceScreen,
  lifecycleScreen,
  tracesScreen,
  configurationScreen,
  revisionsScreen,
  nodesScreen,
  auditScreen,
];
