import { describeLimit, type HostedEndpoint } from '../../hosting';
import type { OperationData } from '../model/data';

/** Returns the rate limits of an operation, the narrowest scope first. */
export function rateLimitsOf({ rateLimits: limits }: HostedEndpoint): Pick<OperationData, 'rateLimits'> {
  if (limits === undefined) return {};
  const all = [...limits.perUser, ...limits.perAddress, ...limits.shared];
  return {
    rateLimits: all.map(({ limit, window, per, weight }) => ({
      limit,
      window,
      per,
      ...(weight === 1 ? {} : { weight }),
      description: describeLimit({ limit, window, per }),
    })),
  };
}
