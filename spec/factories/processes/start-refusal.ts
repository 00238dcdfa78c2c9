import { ConfigurationError } from '../../../src/framework';
import { startTestPlatform, type TestProject } from '../platform';

/** What hosting requires, and nothing more. */
export const HOSTING = ['content-negotiation', 'content-validation', 'mvc-auth', 'hosting'];

/**
 * Why a project does not start.
 * @returns the message for the operator
 * @throws Error when it starts, or fails without a message for operators
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
