/**
 * Short-lived texts that all nodes of a deployment reach: sessions of administrators, and what they have yet to confirm.
 * They are gone when the store restarts, is cleared or replaced: what was removed never comes back.
 *
 * Everything rejects with `DeploymentUnavailable` if the store is out of reach.
 */
export interface SharedDocuments {
  /** Whether the store can be reached, as far as is known. */
  readonly isAvailable: boolean;
  /** Reads texts at one moment. @returns in the order of the names; undefined for those that do not exist */
  get(names: readonly string[]): Promise<readonly (string | undefined)[]>;
  /**
   * @param lifetime in milliseconds
   * @param condition `existing`: writes only what exists, so that nothing that was removed comes back
   * @returns whether it was written
   */
  put(name: string, text: string, lifetime: number, condition?: 'existing'): Promise<boolean>;
  /** Removes a text and returns it: of concurrent calls, one gets it. */
  take(name: string): Promise<string | undefined>;
  remove(name: string): Promise<void>;
  /** Increments a number, which begins with 0 and has no end. */
  increment(name: string): Promise<number>;
}
