import { afterEach, beforeEach, expect, test } from 'vitest';
import { FULL } from '../support/tier.ts';
import { beginPayment, type PendingPayment } from './pending-payment.ts';
import { type DoubleShell, launchDouble, until, WITHOUT_SCREENS } from './shell.ts';

const WAIT = 0;
const QUIT_ANYWAY = 1;
const CANCEL = 2;

let shell: DoubleShell;
let host: string;
let payments: PendingPayment[];

beforeEach(async () => {
  shell = await launchDouble([WITHOUT_SCREENS]);
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

async function begin(): Promise<PendingPayment> {
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
const untilQuestions = async (count: number) => until(async () => (await questions()).length === count);
const answer = (button: number) => shell.evaluate(({ record }, chosen) => record.questions.at(-1)?.answer(chosen), button);
const tray = () => shell.evaluate(({ record }) => record.trays[0]?.tooltip ?? '', undefined);
const health = async () => (await fetch(`http://${host}/health`)).status;

test('asks before quitting while a payment is in flight, and quits when its response arrives', async () => {
  const payment = await begin();
  await quit();
  await untilQuestions(1);
  const [question] = await questions();
  expect(question).toMatchObject({ message: '1 payment is waiting for a response.', buttons: ['Wait', 'Quit anyway', 'Cancel'] });
  expect(question?.detail).toContain('looks up the outcome');
  expect(await health()).toBe(200);
  await payment.complete();
  expect(await shell.exited).toBe(0);
});

test('keeps the window and the API after "Wait" until the last response, and asks again at a second quit', FULL, async () => {
  const first = await begin();
  const second = await begin();
  await quit();
  await untilQuestions(1);
  expect((await questions())[0]?.message).toBe('2 payments are waiting for a response.');
  await answer(WAIT);
  await until(async () => (await tray()).includes('quits when'));
  expect(await health()).toBe(200);
  expect(await shell.inPage('document.readyState')).toBe('complete');
  await first.complete();
  await quit();
  await untilQuestions(2);
  expect((await questions()).at(-1)?.message).toBe('1 payment is waiting for a response.');
  await second.complete();
  expect(await shell.exited).toBe(0);
});

test('continues after "Cancel", and quits immediately later', FULL, async () => {
  const payment = await begin();
  await quit();
  await untilQuestions(1);
  await answer(CANCEL);
  await until(async () => (await questions()).every(({ isOpen }) => !isOpen));
  await payment.complete();
  expect(await health()).toBe(200);
  expect(await shell.inPage('document.readyState')).toBe('complete');
  expect(await tray()).toBe(`Paydesk: API running at ${host}`);
  expect(await shell.quit()).toBe(0);
  expect(await shell.exited).toBe(0);
});

test('quits without waiting after "Quit anyway", keeps the data, and opens again if started in the meantime', FULL, async () => {
  await begin();
  await quit();
  await untilQuestions(1);
  await answer(QUIT_ANYWAY);
  await until(async () => (await tray()).includes('stopping'));
  await shell.evaluate(
    ({ app }) => void app.emit('second-instance', {}, ['paydesk', 'paydesk://sale?amount=19.99'], '', undefined),
    undefined,
  );
  expect(await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length, undefined)).toBe(0);
  expect(await shell.exited).toBe(0);
  expect(shell.log()).toContain('To be opened again with: paydesk://sale?amount=19.99');
  const again = await launchDouble([WITHOUT_SCREENS], shell.dataDir);
  expect(await again.inPage('document.readyState')).toBe('complete');
  await again.stop();
});

test('asks before the window closes if closing quits the application', FULL, async () => {
  await shell.inPage('paydesk.changeSettings({ closeToTray: false })');
  const payment = await begin();
  await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close(), undefined);
  await untilQuestions(1);
  expect(await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible(), undefined)).toBe(true);
  await payment.complete();
  expect(await shell.exited).toBe(0);
});
