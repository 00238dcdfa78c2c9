import { ApplicationHost, type Application, type DeploymentNode, type SharedState } from '../../../framework';
import { RequestMetrics } from '../../operations';
import { NodeHistory } from './node-history';
import { ServiceHistory } from './service-history';

/** Measures the service for the dashboard, until the last application with the admin is disposed of. */
export function keepHistory({ sharedState, events, observers }: Application): void {
  const history = sharedState.getOrCreate(
    ServiceHistory,
    () =>
      new ServiceHistory({
        metrics: () => sharedState.find(RequestMetrics),
        inFlight: () => sharedState.find(ApplicationHost)?.inFlight ?? 0,
      }),
  );
  const nodes = sharedState.getOrCreate(NodeHistory, () => new NodeHistory(() => nodesOf(sharedState)));
  const user = {};
  for (const one of [history, nodes]) one.retain(user);
  events.attach('shutdown', () => {
    for (const one of [history, nodes]) one.release(user);
  });
  observers.observe('completed', function recordError(event) {
    history.errors.record(event);
  });
}

/** The nodes that share the configuration; none while they are not known. */
async function nodesOf(sharedState: SharedState): Promise<readonly DeploymentNode[]> {
  const found = await sharedState.find(ApplicationHost)?.shared?.nodes();
  return found?.problem === undefined ? (found?.nodes ?? []) : [];
}
