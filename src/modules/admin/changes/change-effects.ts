import type { Revision } from '../../../framework';
import type { ServiceReference } from '../../hosting';
import type { DifferenceLine } from './comparison/difference';
import type { DocumentedService } from './documented-service';

/** The effects of a change before it is applied. */
export interface Preview {
  readonly summary: string;
  readonly difference: readonly DifferenceLine[];
  /** The tag of the compared file; pass it as `expect` when applying the change. */
  readonly tag: string;
  /** Startup warnings that the change adds. */
  readonly warnings: readonly string[];
  /** The keys whose new value requires a restart. */
  readonly restart: readonly string[];
  /** Of the service that the change is about; undefined if it is about something else, or removes it. */
  readonly documentation?: DocumentedService | undefined;
}

/** A change that has been written and activated. */
export interface Applied {
  /** That of the change as it was prepared last. */
  readonly summary: string;
  /** The service that the change created or edited. */
  readonly service: ServiceReference | undefined;
  readonly revision: Revision;
  readonly warnings: readonly string[];
  readonly restart: readonly string[];
  /** Whether all nodes of a deployment have it, not only this process. */
  readonly isRolledOut: boolean;
}
