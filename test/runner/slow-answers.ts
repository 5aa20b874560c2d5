/**
 * Delays requests to the API by up to MAX_MS before they are handled, so that answers are late and in another order. Each program of a run with
 * `--slow-answers` loads this module first. All requests of browsers and of the desktop application are delayed. The API tests send a hundred thousand
 * requests to servers in their own workers, so one in SHARE_IN_WORKERS of these is delayed. Processor simulators are not delayed: tests of live
 * payments move the clock by hours meanwhile, so that a processor would receive a request a day late.
 */
import { type IncomingMessage, Server } from 'node:http';

const MAX_MS = 700;
const SHARE_IN_WORKERS = 40;
// Tests seed Math.random, and a delay must not change their sequence.
const random = Math.random;

const dispatch = Server.prototype.emit;
Server.prototype.emit = function emit(this: Server, event: string | symbol, ...values: unknown[]): boolean {
  // Set by Vitest after this module was loaded.
  const isInWorker = process.env.VITEST_WORKER_ID !== undefined && process.env.PAYDESK_TEST_BROWSER === undefined;
  const share = isInWorker ? SHARE_IN_WORKERS : 1;
  const isLate = event === 'request' && (values[0] as IncomingMessage).url?.startsWith('/api/v1/') && random() * share < 1;
  const proceed = (): boolean => Reflect.apply(dispatch, this, [event, ...values]);
  if (!isLate) return proceed();
  setTimeout(proceed, random() * MAX_MS);
  return true;
};
