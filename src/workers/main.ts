import '../node-version';
import 'reflect-metadata';
import { startWorker } from './worker';

/** A worker process: the primary tells it what to serve. */
startWorker();
