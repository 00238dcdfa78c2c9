export { ClusterNode } from './cluster-node';
export { DeploymentConfiguration } from './deployment-configuration';
export { openDeployment, type OpenDeployment } from './open-deployment';
export { assertFormat, StartingNode, type NodeOptions } from './start-node';
export { openStore } from '../store/open-store';
