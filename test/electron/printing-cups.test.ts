// @module-tag full
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PrinterSetup, PrintJob, PrintOutcome } from '#bridge';
import { type FakePrinter, startFakePrinter } from '../support/fake-printer.ts';
import { PAGE_WITHOUT_SCRIPT, showPage } from './common-tests.ts';
import { type Cups, NO_CUPS, startCups } from './cups.ts';
import { asShell, type DoubleShell, launchDouble, until, WITHOUT_SCREENS } from './shell.ts';

const QUEUE = 'Front_desk';
/** All bytes, nearly as many as a job may have, so that any conversion or cut is noticed. */
const BYTES = Buffer.from(Array.from({ length: 256 * 250 }, (_, n) => n % 256));

describe.skipIf(NO_CUPS !== undefined)(`printing through CUPS${NO_CUPS === undefined ? '' : ` (not run: ${NO_CUPS})`}`, () => {
  let cups: Cups;
  let printer: FakePrinter;
  let shell: DoubleShell;
  beforeAll(async () => {
    [cups, printer] = await Promise.all([startCups(), startFakePrinter()]);
    cups.addQueue(QUEUE, printer.port);
    process.env.CUPS_SERVER = cups.server;
    shell = await launchDouble([WITHOUT_SCREENS]);
    await showPage(asShell(shell), PAGE_WITHOUT_SCRIPT);
  });
  afterAll(async () => {
    delete process.env.CUPS_SERVER;
    await shell.stop();
    await cups.stop();
    await printer[Symbol.asyncDispose]();
  });

  const call = <Answer>(name: string, given: unknown) => shell.inPage<Answer>(`paydesk.${name}(${JSON.stringify(given)})`);
  const save = (queue: string) =>
    call('savePrinter', {
      name: 'Front desk',
      address: { kind: 'queue', queue },
      paper: '80mm',
      columns: 42,
      codePage: 'cp858',
      cuts: true,
      copies: { customer: 1, merchant: 1 },
      pausesToTear: false,
      drawerPin: null,
    } satisfies PrinterSetup);
  const send = (key: string) =>
    call<PrintOutcome>('queuePrintJob', {
      key,
      title: 'Customer copy',
      content: { kind: 'escpos', base64: BYTES.toString('base64') },
      copies: 1,
      isFollowUp: false,
      isUrgent: false,
      metadata: '',
    } satisfies PrintJob);

  test('sends the bytes of a receipt unchanged to a queue', async () => {
    expect(await save(QUEUE)).toEqual({ saved: true });
    expect(await send('cups-job-1')).toEqual({ sent: true });
    await until(async () => printer.jobs.length === 1);
    expect(printer.jobs[0]?.equals(BYTES)).toBe(true);
  });

  test('reports an unknown queue and one that accepts no jobs, with the reason of CUPS', async () => {
    await save('Missing');
    expect(await send('cups-job-2')).toEqual({
      sent: false,
      problem: 'The print system refused the job for Missing: lp: Error - The printer or class does not exist.',
    });
    await save(QUEUE);
    cups.reject(QUEUE);
    expect(await send('cups-job-3')).toEqual({
      sent: false,
      problem: `The print system refused the job for ${QUEUE}: lp: Destination "${QUEUE}" is not accepting jobs.`,
    });
    expect(printer.jobs).toHaveLength(1);
  });
});
