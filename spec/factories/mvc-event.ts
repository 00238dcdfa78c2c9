import type { MvcEvent } from '../../src/framework';
import { testEvent } from '../../src/testing';

/** The event of a request without a connection: for tests of what happens before bytes are written. */
export function makeMvcEvent(path = '/', method = 'GET'): MvcEvent {
  return testEvent({ path, method });
}
