// Loaded before the server by `node --import`, so that it never serves pages older than their sources.
import { isMainThread } from 'node:worker_threads';
import { buildPagesWhenStale } from './build-when-stale.ts';

// Worker threads load the same files; the pages concern the main thread alone.
if (isMainThread) await buildPagesWhenStale();
