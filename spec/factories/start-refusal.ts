import { ConfigurationError } from '../../src/framework';
import { startTestPlatform, type TestProject } from './platform';

/** What hosting needs, and nothing beyond. */
export const HOSTING = ['content-negotiation', 'content-validation', 'mvc-auth', 'hosting'];

/**
 * Why a project does not start.
 * @returns the message that the operator gets
 * @throws Error when it starts, or fails with what is no message for operators
 */
export async function startRefusal(project: TestProject): Promise<string> {
  let platform;
  try {
    platform = await startTestPlatform(project);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  await platform.stop();
  throw new Error('The platform started.');
}
