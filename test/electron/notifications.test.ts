// @module-tag full
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGE_WITHOUT_SCRIPT, showPage } from './common-tests.ts';
import { asShell, type DoubleShell, launchDouble, WITHOUT_SCREENS } from './shell.ts';

let shell: DoubleShell;

beforeAll(async () => {
  shell = await launchDouble([WITHOUT_SCREENS]);
  await showPage(asShell(shell), PAGE_WITHOUT_SCRIPT);
});
afterAll(() => shell.stop());

test('shows a system notification for a page; a click brings its screen to the front', async () => {
  await shell.inPage(`paydesk.notify({ title: 'Refund needs attention', body: 'One refund.', open: '/refund-queue' })`);
  const { shown, sent, steps } = await shell.evaluate(({ record }) => {
    record.sent = [];
    record.steps = [];
    for (const notification of record.notifications) notification.click();
    return { shown: record.notifications.map(({ title, body }) => ({ title, body })), sent: record.sent, steps: record.steps };
  }, undefined);
  expect(shown).toEqual([{ title: 'Refund needs attention', body: 'One refund.' }]);
  expect(sent).toEqual([{ channel: 'paydesk:command', args: [{ open: '/refund-queue' }] }]);
  expect(steps).toContain('focus');
});

test('refuses malformed notifications and names the broken rule', async () => {
  const outcome = await shell.inPage<{ tried: number; refused: number }>(`(async () => {
    const notification = { title: 't', body: 'b', open: '/sell' };
    const malformed = [undefined, null, 'x', [], {},
      ...['', 'x'.repeat(81), 1, null].map((title) => ({ ...notification, title })),
      ...['x'.repeat(201), 1, undefined].map((body) => ({ ...notification, body })),
      ...['', 'sell', '//evil.test', 'https://evil.test/', '/a/b/c', '/sell?amount=1', '/../x', 7].map((open) => ({ ...notification, open }))];
    let refused = 0;
    for (const one of malformed) await paydesk.notify(one).catch(({ message }) => message.includes('Refused: ') && (refused += 1));
    return { tried: malformed.length, refused };
  })()`);
  expect(outcome.refused).toBe(outcome.tried);
});
