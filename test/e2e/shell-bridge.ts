import type { Page } from '@playwright/test';
import { linesEscpos } from '../../core/receipts/escpos.ts';
import type { PaperAction, PaperJob, PrinterSetup, QueuedPaper } from '../../electron/bridge/printing.ts';
import { notSent } from '../../electron/printing/delivery.ts';
import { sendToNetwork } from '../../electron/printing/network.ts';
import { PrintQueue } from '../../electron/printing/queue.ts';
import { testPageBytes } from '../../electron/printing/test-page.ts';

/** The printing of the desktop application behind a page of the browser: the queue and the connection are the application's own, the rest is missing. */
export interface ShellBridge {
  setup: PrinterSetup | null;
  readonly jobs: () => readonly QueuedPaper[];
}

function bytesOf({ content }: PaperJob, { columns, codePage, cuts }: PrinterSetup): Buffer {
  if (content.kind === 'escpos') return Buffer.from(content.base64, 'base64');
  return content.kind === 'lines' ? linesEscpos(content.lines, columns, { codePage, cuts }) : Buffer.from(content.html);
}

/** Puts the bridge on every page that is loaded from now on. */
export async function bridgeTo(page: Page, setup: PrinterSetup | null = null): Promise<ShellBridge> {
  const send = async (bytes: Buffer, { address }: PrinterSetup) =>
    address.kind === 'network'
      ? sendToNetwork({ address: address.host, port: address.port, place: address.host }, bytes)
      : notSent('Not here.');
  const queue = new PrintQueue(
    (job, at) => send(bytesOf(job, at), at),
    // Between two pages there is nobody to tell.
    (jobs) => void page.evaluate((told) => Reflect.get(window, 'tellPaper')?.(told), jobs).catch(() => {}),
  );
  const bridge: ShellBridge = { setup, jobs: () => queue.jobs };
  const calls: Record<string, (...given: never[]) => unknown> = {
    readPrinter: () => bridge.setup,
    savePrinter: (next: PrinterSetup | null) => {
      bridge.setup = next;
      return { saved: true };
    },
    testPrinter: async (tried: PrinterSetup) => {
      const delivery = await send(testPageBytes(tried), tried);
      return delivery.sent ? { sent: true } : { sent: false, problem: delivery.problem };
    },
    sendPaper: (job: PaperJob) => (bridge.setup ? queue.add(job, bridge.setup) : { sent: false, problem: 'No printer.' }),
    readPaperQueue: () => queue.jobs,
    actOnPaper: (id: number, action: PaperAction) => queue.act(id, action),
    listPrinters: () => [{ name: 'Office', displayName: 'Office printer', description: '' }],
  };
  await page.exposeFunction('callShell', (name: string, given: never[]) => calls[name]?.(...given));
  await page.addInitScript((names) => {
    const call = Reflect.get(window, 'callShell') as (name: string, given: unknown[]) => Promise<unknown>;
    const listeners = new Set<(jobs: unknown) => void>();
    const nothing = () => () => undefined;
    Reflect.set(window, 'tellPaper', (jobs: unknown) => {
      for (const tell of listeners) tell(jobs);
    });
    Reflect.set(window, 'paydesk', {
      version: '0.0.0',
      onCommand: nothing,
      onUpdate: nothing,
      notify: async () => undefined,
      holdRestart: async () => undefined,
      onPaperQueue: (tell: (jobs: unknown) => void) => {
        listeners.add(tell);
        return () => listeners.delete(tell);
      },
      ...Object.fromEntries(names.map((name) => [name, (...given: unknown[]) => call(name, given)])),
    });
  }, Object.keys(calls));
  return bridge;
}
