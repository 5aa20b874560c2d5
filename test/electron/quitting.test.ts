import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginPayment, type Payment } from './payment.ts';
import { type DoubleShell, launchDouble, until } from './shell.ts';

const WAIT = 0;
const QUIT_ANYWAY = 1;
const CANCEL = 2;

let shell: DoubleShell;
let host: string;
let payments: Payment[];

beforeEach(async () => {
  shell = await launchDouble();
  host = await shell.inPage<string>('location.host');
  payments = [];
  await shell.evaluate(({ record }) => {
    record.answer = null;
  }, undefined);
});
afterEach(async () => {
  for (const { socket } of payments) socket.destroy();
  await shell.stop();
});

async function begin(): Promise<Payment> {
  const payment = await beginPayment(host);
  payments.push(payment);
  return payment;
}

const quit = () => shell.evaluate(({ app }) => void setImmediate(() => app.quit()), undefined);
const questions = () =>
  shell.evaluate(
    ({ record }) => record.questions.map(({ message, detail, buttons, isOpen }) => ({ message, detail, buttons, isOpen })),
    undefined,
  );
const asked = async (count: number) => until(async () => (await questions()).length === count);
const answer = (button: number) => shell.evaluate(({ record }, chosen) => record.questions.at(-1)?.answer(chosen), button);
const tray = () => shell.evaluate(({ record }) => record.trays[0]?.words ?? '', undefined);
const health = async () => (await fetch(`http://${host}/health`)).status;

test('who quits while a payment waits for its answer is told, and Paydesk quits by itself when it has come', async () => {
  const payment = await begin();
  await quit();
  await asked(1);
  const [question] = await questions();
  expect(question).toMatchObject({ message: '1 payment is waiting for its answer.', buttons: ['Wait', 'Quit anyway', 'Cancel'] });
  expect(question?.detail).toContain('looks up what became of it');
  expect(await health()).toBe(200);
  await payment.answer();
  expect(await shell.exited).toBe(0);
});

test('who waits keeps the window and its API until the last answer; a second try asks again', async () => {
  const first = await begin();
  const second = await begin();
  await quit();
  await asked(1);
  expect((await questions())[0]?.message).toBe('2 payments are waiting for their answers.');
  await answer(WAIT);
  await until(async () => (await tray()).includes('quits when'));
  expect(await health()).toBe(200);
  expect(await shell.inPage('document.readyState')).toBe('complete');
  await first.answer();
  await quit();
  await asked(2);
  expect((await questions()).at(-1)?.message).toBe('1 payment is waiting for its answer.');
  await second.answer();
  expect(await shell.exited).toBe(0);
});

test('who cancels goes on working, and later quits at once', async () => {
  const payment = await begin();
  await quit();
  await asked(1);
  await answer(CANCEL);
  await until(async () => (await questions()).every(({ isOpen }) => !isOpen));
  await payment.answer();
  expect(await health()).toBe(200);
  expect(await shell.inPage('document.readyState')).toBe('complete');
  expect(await tray()).toBe(`Paydesk: API running at ${host}`);
  expect(await shell.quit()).toBe(0);
  expect(await shell.exited).toBe(0);
});

test('who quits anyway does not wait, and the next start has the data; whoever opens Paydesk meanwhile gets it', async () => {
  await begin();
  await quit();
  await asked(1);
  await answer(QUIT_ANYWAY);
  await until(async () => (await tray()).includes('stopping'));
  await shell.evaluate(
    ({ app }) => void app.emit('second-instance', {}, ['paydesk', 'paydesk://sale?amount=19.99'], '', undefined),
    undefined,
  );
  expect(await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length, undefined)).toBe(0);
  expect(await shell.exited).toBe(0);
  expect(shell.log()).toContain('To be opened again with: paydesk://sale?amount=19.99');
  const again = await launchDouble([], shell.dataDir);
  expect(await again.inPage('document.readyState')).toBe('complete');
  await again.stop();
});

test('closing the window where that quits asks before the window is gone', async () => {
  await shell.inPage('paydesk.changeSettings({ closeToTray: false })');
  const payment = await begin();
  await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close(), undefined);
  await asked(1);
  expect(await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible(), undefined)).toBe(true);
  await payment.answer();
  expect(await shell.exited).toBe(0);
});
