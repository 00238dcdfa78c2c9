import type { Router, RouteTarget } from '../../../framework';
import type { Administrators } from '../accounts/administrators';
import type { OpenidPages } from '../accounts/openid-pages';
import type { AdminAccess } from '../access/admin-access';
import type { AuditLog } from '../audit/audit-log';
import type { ConfigurationChanges } from '../changes/configuration-changes';
import type { Drafts } from '../sessions/drafts';
import type { Reviews } from '../sessions/reviews';
import type { ShownReviews } from '../sessions/shown-reviews';
import type { SessionStore } from '../sessions/session-store';
import type { AdminSettings } from '../settings';
import type { AdminPaths } from './admin-paths';

/** What the pages of an application and their routes use. */
export interface PageDependencies {
  readonly router: Router<RouteTarget>;
  readonly paths: AdminPaths;
  readonly settings: AdminSettings;
  readonly access: AdminAccess;
  readonly sessions: SessionStore;
  readonly drafts: Drafts;
  readonly reviews: Reviews;
  readonly shownReviews: ShownReviews;
  readonly administrators: Administrators;
  /** Undefined if nobody signs in with OpenID Connect. */
  readonly openid: OpenidPages | undefined;
  /** The origin that browsers use, e.g. `https://api.example.com`; empty if it is not configured. */
  readonly publicOrigin: string;
  readonly audit: AuditLog;
  /** Undefined in an application without a host, which cannot be reloaded. */
  readonly changes: ConfigurationChanges | undefined;
}
