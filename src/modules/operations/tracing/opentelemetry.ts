import { createRequire } from 'node:module';
import path from 'node:path';
import type * as OpenTelemetry from '@opentelemetry/api';
import { ConfigurationError } from '../../../framework';

/** The API of OpenTelemetry. All copies in a process share what an SDK registers. */
export type OpenTelemetryApi = typeof OpenTelemetry;

const PACKAGE = '@opentelemetry/api';

/**
 * Loads the API of OpenTelemetry from the project, where its SDK is installed, or next to this package.
 *
 * @param root of the project
 * @param where what requires it, for the message
 * @throws ConfigurationError if it is not installed
 */
export function loadOpenTelemetry(root: string, where: string): OpenTelemetryApi {
  const failures: unknown[] = [];
  for (const from of [path.join(root, 'package.json'), __filename]) {
    try {
      return createRequire(from)(PACKAGE) as OpenTelemetryApi;
    } catch (error) {
      failures.push(error);
    }
  }
  throw new ConfigurationError(
    `${where}: tracing requires the package ${PACKAGE}, which cannot be loaded. Install it with an SDK: npm install ${PACKAGE} @opentelemetry/sdk-node. Or set it to false.`,
    { cause: failures[0] },
  );
}

/** Whether an SDK has registered a tracer provider: spans of the API alone go nowhere. */
export function hasSdk({ trace, ProxyTracerProvider }: OpenTelemetryApi): boolean {
  const provider = trace.getTracerProvider();
  if (!(provider instanceof ProxyTracerProvider)) return true;
  return provider.getDelegateTracer('apidesc-platform') !== undefined;
}
