import { expect, test } from 'vitest';
import type { PrinterSetup, PrintJob, QueuedPrintJob } from '../../../electron/bridge/printing.ts';
import { PrintQueue } from '../../../electron/printing/print-queue.ts';
import { notSent, possiblySent, SENT, type SendResult } from '../../../electron/printing/send-result.ts';

const SETUP: PrinterSetup = {
  name: 'Front desk',
  address: { kind: 'network', host: 'printer', port: 9100 },
  paper: '80mm',
  columns: 48,
  codePage: 'cp858',
  cuts: true,
  copies: { customer: 1, merchant: 1 },
  pausesToTear: true,
  drawerPin: 2,
};
const TEARING: PrinterSetup = { ...SETUP, cuts: false };

const job = (title: string, more: Partial<PrintJob> = {}): PrintJob => ({
  key: `key-${title}`,
  title,
  content: { kind: 'escpos', base64: 'G0A=' },
  copies: 1,
  isFollowUp: false,
  isUrgent: false,
  metadata: '',
  ...more,
});

/** Lets pending work complete. */
const settled = () => new Promise(setImmediate);

/** A queue whose printer takes everything unless an answer is set, and what was sent to it. */
function start(answers: Record<string, SendResult> = {}) {
  const sent: string[] = [];
  const holds = new Map<string, PromiseWithResolvers<SendResult>>();
  let received: QueuedPrintJob[] = [];
  const queue = new PrintQueue(
    async ({ title }) => {
      sent.push(title);
      return holds.get(title)?.promise ?? answers[title] ?? SENT;
    },
    (jobs) => {
      received = jobs;
    },
  );
  const hold = (title: string) => {
    const held = Promise.withResolvers<SendResult>();
    holds.set(title, held);
    return (result: SendResult) => {
      holds.delete(title);
      held.resolve(result);
    };
  };
  const states = () => received.map(({ title, state }) => `${title} ${state}`);
  const idOf = (title: string) => received.find((one) => one.title === title)?.id ?? 0;
  return { queue, sent, hold, states, idOf, answers, received: () => received };
}

test('prints the jobs of one printer in order, independent of other printers', async () => {
  const { queue, sent, hold } = start();
  const release = hold('a');
  const first = queue.add(job('a'), SETUP);
  const second = queue.add(job('b'), SETUP);
  await queue.add(job('c'), { ...SETUP, address: { kind: 'queue', queue: 'Kitchen' } });
  expect(sent).toEqual(['a', 'c']);
  release(SENT);
  expect(await Promise.all([first, second])).toEqual([{ sent: true }, { sent: true }]);
  expect(sent).toEqual(['a', 'c', 'b']);
});

test('waits without a cutter until the last copy is torn off', async () => {
  const { queue, sent, states, idOf } = start();
  await queue.add(job('customer', { copies: 2 }), TEARING);
  const merchant = queue.add(job('merchant', { isFollowUp: true }), TEARING);
  expect(sent).toEqual(['customer']);
  expect(states()).toEqual(['customer awaiting-tear-off', 'merchant awaiting-tear-off']);
  expect(queue.act(idOf('customer'), 'next')).toBe(true);
  await settled();
  expect(sent).toEqual(['customer', 'customer']);
  expect(queue.act(idOf('merchant'), 'next')).toBe(true);
  expect(await merchant).toEqual({ sent: true });
  expect(sent).toEqual(['customer', 'customer', 'merchant']);
  expect(queue.act(idOf('merchant'), 'next')).toBe(false);
});

test('never waits with a cutter', async () => {
  const { queue, sent } = start();
  await queue.add(job('customer', { copies: 3 }), SETUP);
  await queue.add(job('merchant', { isFollowUp: true }), SETUP);
  expect(sent).toEqual(['customer', 'customer', 'customer', 'merchant']);
});

test('continues after a failed job, keeps it with its reason, and retries it on request', async () => {
  const { queue, sent, states, idOf, answers, received } = start({ a: notSent('The printer is off.') });
  expect(await queue.add(job('a'), SETUP)).toEqual({ sent: false, problem: 'The printer is off.' });
  await queue.add(job('b'), SETUP);
  expect(states()).toEqual(['a failed', 'b sent']);
  expect(received()[0]).toMatchObject({ problem: 'The printer is off.', isPartial: false });
  answers.a = possiblySent('It hung up.');
  queue.act(idOf('a'), 'retry');
  await settled();
  expect(received().find(({ title }) => title === 'a')).toMatchObject({ state: 'failed', isPartial: true });
  answers.a = SENT;
  queue.act(idOf('a'), 'retry');
  await settled();
  expect(states()).toEqual(['b sent', 'a sent']);
  expect(sent).toEqual(['a', 'b', 'a', 'a']);
});

test('removes a job unless it is being sent, and informs its sender', async () => {
  const { queue, sent, hold, idOf } = start();
  const release = hold('a');
  void queue.add(job('a'), SETUP);
  const waiting = queue.add(job('b'), SETUP);
  expect(queue.act(idOf('a'), 'cancel')).toBe(false);
  expect(queue.act(idOf('b'), 'cancel')).toBe(true);
  expect(await waiting).toEqual({ sent: false, problem: 'The job was removed from the queue.' });
  release(SENT);
  await settled();
  expect(sent).toEqual(['a']);
});

test('opens the drawer before copies that wait to be torn off, and drops a failed pulse', async () => {
  const { queue, sent, states, answers } = start();
  await queue.add(job('customer', { copies: 2 }), TEARING);
  expect(await queue.add(job('drawer', { isUrgent: true }), TEARING)).toEqual({ sent: true });
  answers.drawer = notSent('The printer is off.');
  expect(await queue.add(job('drawer', { isUrgent: true }), TEARING)).toMatchObject({ sent: false });
  expect(sent).toEqual(['customer', 'drawer', 'drawer']);
  expect(states()).toEqual(['customer awaiting-tear-off']);
});

test('refuses more than thirty jobs of an unavailable printer immediately', async () => {
  const { queue, hold, received } = start();
  hold('a');
  for (let count = 0; count < 30; count += 1) void queue.add(job('a'), SETUP);
  expect(await queue.add(job('b'), SETUP)).toEqual({
    sent: false,
    problem: '30 receipts already wait for Front desk. Open the print queue.',
  });
  expect(received()).toHaveLength(30);
});

test('keeps the last five sent jobs, and all that the page has not recorded', async () => {
  const { queue, received, idOf } = start();
  await queue.add(job('kept', { metadata: 'txn_1' }), SETUP);
  for (const title of ['1', '2', '3', '4', '5', '6']) await queue.add(job(title), SETUP);
  expect(received().map(({ title }) => title)).toEqual(['kept', '2', '3', '4', '5', '6']);
  expect(queue.act(idOf('kept'), 'acknowledge')).toBe(true);
  expect(received().map(({ title }) => title)).toEqual(['2', '3', '4', '5', '6']);
});
