/**
 * The public API of `apidesc-platform/testing`: helpers to test APIs and modules with any test runner.
 */
import { loadOwnModules } from '../loading/own-modules';

loadOwnModules(module, 'server');

import 'reflect-metadata';

export { MemoryLog, type LogLine } from './memory-log';
export {
  createTestApplication,
  type TestApplication,
  type TestApplicationOptions,
  type TestInjection,
} from './test-application';
export { testContext, type TestContext, type TestContextOptions } from './test-context';
export { testEvent, testRequest, type TestRequestOptions } from './test-event';
export { testIdentity, type TestUser } from './test-identity';
