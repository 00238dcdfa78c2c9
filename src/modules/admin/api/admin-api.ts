import { deferServices, type ApiDefinition } from '../../hosting';
import { ADMIN_API } from '../changes/lockout';
import type { AdminServices } from '../services';
import { authorizationService, mapService } from './access-service';
import {
  adapterCheckService,
  adapterKindService,
  adapterService,
  signInTestService,
} from './adapter-service';
import { apiKeyService } from './api-key-service';
import { apiVersionService } from './api-version-service';
import { configuredServiceService, versionCopyService } from './configured-service-service';
import {
  connectionTestService,
  databaseService,
  databaseTableService,
  snapshotService,
} from './database-service';
import { tableServicePreviewService, tableServiceService } from './table-service-service';
import { auditService } from './insight/audit-service';
import { administratorService, secondFactorService } from './administrator-service';
import {
  configurationService,
  dashboardService,
  listenerService,
  overviewService,
} from './insight/insight-services';
import { passwordFileService, passwordUserService } from './password-file-service';
import { ruleTestService } from './rule-test-service';
import { reloadService, restoreService, revisionService, undoService } from './revision-service';
import { withRoles } from './service-roles';
import { negotiationTestService, selectorModelService, selectorService } from './selector-service';
import { textService } from './text-service';
import { nodeHistoryService, nodeService } from './insight/node-service';
import { traceRecordingService, traceService } from './insight/trace-service';

/**
 * Defines the admin API. Its services are declared and compiled on first use.
 * @param admin returns the actions; called on each request
 */
export function adminApi(admin: () => AdminServices): ApiDefinition {
  const api = {
    name: ADMIN_API,
    description:
      'The actions of the pages at `/platform/admin`. Every change is active when the response arrives, and creates ' +
      'a revision. Send `If-Match` with the current `ETag`, so that you do not overwrite changes made by others ' +
      '(412).',
    base_path: '/platform/admin/api',
    visibility: 'authenticated',
  } as const;
  return deferServices(api, () =>
    withRoles({
      Adapter: adapterService(admin),
      AdapterKind: adapterKindService(admin),
      AdapterCheck: adapterCheckService(admin),
      SignInTest: signInTestService(admin),
      PasswordFile: passwordFileService(admin),
      PasswordUser: passwordUserService(admin),
      ApiKey: apiKeyService(admin),
      Map: mapService(admin),
      Authorization: authorizationService(admin),
      RuleTest: ruleTestService(admin),
      Selector: selectorService(admin),
      SelectorModel: selectorModelService(admin),
      NegotiationTest: negotiationTestService(admin),
      DocumentationText: textService(admin),
      Service: configuredServiceService(admin),
      VersionCopy: versionCopyService(admin),
      ApiVersion: apiVersionService(admin),
      Database: databaseService(admin),
      DatabaseTable: databaseTableService(admin),
      ConnectionTest: connectionTestService(admin),
      Snapshot: snapshotService(admin),
      TableService: tableServiceService(admin),
      TableServicePreview: tableServicePreviewService(admin),
      Revision: revisionService(admin),
      Restore: restoreService(admin),
      Undo: undoService(admin),
      Reload: reloadService(admin),
      Audit: auditService(admin),
      Administrator: administratorService(admin),
      SecondFactor: secondFactorService(admin),
      Configuration: configurationService(admin),
      Listener: listenerService(admin),
      Node: nodeService(admin),
      NodeHistory: nodeHistoryService(admin),
      Overview: overviewService(admin),
      Dashboard: dashboardService(admin),
      Trace: traceService(admin),
      TraceRecording: traceRecordingService(admin),
    }),
  );
}
