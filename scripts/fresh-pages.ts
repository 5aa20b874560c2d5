// Loaded before the server by `node --import`, so that it never serves pages that are older than their sources.
import { isMainThread } from 'node:worker_threads';
import { buildPagesWhenStale } from './build-when-stale.ts';

// Worker threads load this file too, but only the main thread serves pages.
if (isMainThread) await buildPagesWhenStale();
