export { ClusterNode } from './cluster-node';
export { DeploymentConfiguration } from './deployment-configuration';
export { openDeployment, type OpenDeployment } from './open-deployment';
export { StartingNode, type NodeOptions } from './start-node';
export { openStore } from '../store/open-store';
export { STORE_FORMAT } from '../store/configuration-store';
