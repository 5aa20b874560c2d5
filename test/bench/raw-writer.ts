// The writer of the baseline `raw-thread` in a worker thread: runs the commit of one group of sales for each message.
import { parentPort, workerData } from 'node:worker_threads';
import { openSqlite, rawSteps } from './raw-sqlite.ts';
import { saleRows } from './rows.ts';

/** A group of sales for one of the three commits. */
interface WriterRequest {
  readonly id: number;
  readonly step: 'intend' | 'charge' | 'conclude';
  readonly rows: readonly never[];
}

/** The answer after the commit. */
export interface WriterAnswer {
  readonly id: number;
  readonly error: unknown;
}

const steps = rawSteps(
  openSqlite(workerData, 'paydesk.sqlite', 'FULL'),
  openSqlite(workerData, 'sandbox-gateway.sqlite', 'NORMAL'),
  saleRows('shape'),
);
parentPort?.on('message', ({ id, step, rows }: WriterRequest) => {
  let error: unknown = null;
  try {
    steps[step](rows);
  } catch (thrown) {
    error = thrown;
  }
  parentPort?.postMessage({ id, error } satisfies WriterAnswer);
});
