import type { Page } from '@playwright/test';
import { linesEscpos } from '../../core/billing/receipts/escpos.ts';
import type { PrinterSetup, PrintJob, PrintJobAction, QueuedPrintJob } from '../../electron/bridge/printing.ts';
import { sendToNetwork } from '../../electron/printing/network.ts';
import { PrintQueue } from '../../electron/printing/print-queue.ts';
import { notSent } from '../../electron/printing/send-result.ts';
import { testPageBytes } from '../../electron/printing/test-page.ts';

/** The desktop application's printing for a page in the browser: its real print queue and network connection, without the rest. */
interface ShellBridge {
  setup: PrinterSetup | null;
  readonly jobs: () => readonly QueuedPrintJob[];
}

function bytesOf({ content }: PrintJob, { columns, codePage, cuts }: PrinterSetup): Buffer {
  if (content.kind === 'escpos') return Buffer.from(content.base64, 'base64');
  return content.kind === 'lines' ? linesEscpos(content.lines, columns, { codePage, cuts }) : Buffer.from(content.html);
}

/** Adds the bridge to every page that is loaded from now on. */
export async function bridgeTo(page: Page, setup: PrinterSetup | null = null): Promise<ShellBridge> {
  const send = async (bytes: Buffer, { address }: PrinterSetup) =>
    address.kind === 'network'
      ? sendToNetwork({ address: address.host, port: address.port, displayAddress: address.host }, bytes)
      : notSent('Only network printers are supported here.');
  const queue = new PrintQueue(
    (job, at) => send(bytesOf(job, at), at),
    // No page can be notified while one is replaced by the next.
    (jobs) => void page.evaluate((queuedJobs) => Reflect.get(window, 'notifyPrintQueue')?.(queuedJobs), jobs).catch(() => {}),
  );
  const bridge: ShellBridge = { setup, jobs: () => queue.jobs };
  const calls: Record<string, (...given: never[]) => unknown> = {
    readPrinter: () => bridge.setup,
    savePrinter: (next: PrinterSetup | null) => {
      bridge.setup = next;
      return { saved: true };
    },
    testPrinter: async (tried: PrinterSetup) => {
      const result = await send(testPageBytes(tried), tried);
      return result.sent ? { sent: true } : { sent: false, problem: result.problem };
    },
    queuePrintJob: (job: PrintJob) => (bridge.setup ? queue.add(job, bridge.setup) : { sent: false, problem: 'No printer.' }),
    readPrintQueue: () => queue.jobs,
    actOnPrintJob: (id: number, action: PrintJobAction) => queue.act(id, action),
    listPrinters: () => [{ name: 'Office', displayName: 'Office printer', description: '' }],
  };
  await page.exposeFunction('callShell', (name: string, given: never[]) => calls[name]?.(...given));
  await page.addInitScript((names) => {
    const call = Reflect.get(window, 'callShell') as (name: string, given: unknown[]) => Promise<unknown>;
    const listeners = new Set<(jobs: unknown) => void>();
    const nothing = () => () => undefined;
    Reflect.set(window, 'notifyPrintQueue', (jobs: unknown) => {
      for (const listener of listeners) listener(jobs);
    });
    Reflect.set(window, 'paydesk', {
      version: '0.0.0',
      onCommand: nothing,
      onUpdate: nothing,
      notify: async () => undefined,
      holdRestart: async () => undefined,
      setLanguage: async () => undefined,
      onPrintQueue: (listener: (jobs: unknown) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      ...Object.fromEntries(names.map((name) => [name, (...given: unknown[]) => call(name, given)])),
    });
  }, Object.keys(calls));
  return bridge;
}
