import '../node-version';
import { loadOwnModules } from '../loading/own-modules';

loadOwnModules(module, 'server');

import 'reflect-metadata';
import { startWorker } from './worker';

/** A worker process: the primary tells it what to serve. */
startWorker();
