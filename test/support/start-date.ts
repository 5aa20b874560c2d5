/**
 * With PAYDESK_TEST_DATE (a time in ISO 8601), each test file starts at that time, and the clock runs on from there, also in the servers
 * that the file starts as processes. This shows tests that depend on the date or the hour. The clocks of PostgreSQL, of browsers and of
 * certificates stay as they are.
 */
const date = process.env.PAYDESK_TEST_DATE;
/** The sample data that all files copy are an hour older. */
const LEAD_MS = 3_600_000;
/** The main process of a run has no ID of a worker. It starts workers only, each for one file. */
const isWorker = process.env.VITEST_WORKER_ID !== undefined;
if (date !== undefined) startAt(Date.parse(date) - (isWorker ? 0 : LEAD_MS));

function startAt(startMs: number): void {
  const RealDate = Date;
  const realNow = RealDate.now;
  // A process that a test starts continues the clock of the test.
  const shiftMs = Number(process.env.PAYDESK_TEST_DATE_SHIFT ?? startMs - realNow());
  const now = () => realNow() + shiftMs;
  RealDate.now = now;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, values, made) => Reflect.construct(target, values.length === 0 ? [now()] : values, made),
    apply: () => new RealDate(now()).toString(),
  });
  if (!isWorker) return;
  process.env.PAYDESK_TEST_DATE_SHIFT = String(shiftMs);
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import ${import.meta.url}`;
}
