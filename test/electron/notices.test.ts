import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLAIN_PAGE, show } from './flows.ts';
import { asShell, type DoubleShell, launchDouble } from './shell.ts';

let shell: DoubleShell;

beforeAll(async () => {
  shell = await launchDouble();
  await show(asShell(shell), PLAIN_PAGE);
});
afterAll(() => shell.stop());

test('a notice of a page is the system’s own, and a click on it brings its screen to the front', async () => {
  await shell.inPage(`paydesk.notify({ title: 'A refund needs you', body: 'One refund.', open: '/refund-queue' })`);
  const { shown, sent, steps } = await shell.evaluate(({ record }) => {
    record.sent = [];
    record.steps = [];
    for (const notice of record.notices) notice.click();
    return { shown: record.notices.map(({ title, body }) => ({ title, body })), sent: record.sent, steps: record.steps };
  }, undefined);
  expect(shown).toEqual([{ title: 'A refund needs you', body: 'One refund.' }]);
  expect(sent).toEqual([{ channel: 'paydesk:command', args: [{ open: '/refund-queue' }] }]);
  expect(steps).toContain('focus');
});

test('malformed notices are refused, each with the rule it breaks', async () => {
  const outcome = await shell.inPage<{ tried: number; refused: number }>(`(async () => {
    const notice = { title: 't', body: 'b', open: '/sell' };
    const malformed = [undefined, null, 'x', [], {},
      ...['', 'x'.repeat(81), 1, null].map((title) => ({ ...notice, title })),
      ...['x'.repeat(201), 1, undefined].map((body) => ({ ...notice, body })),
      ...['', 'sell', '//evil.test', 'https://evil.test/', '/a/b/c', '/sell?amount=1', '/../x', 7].map((open) => ({ ...notice, open }))];
    let refused = 0;
    for (const one of malformed) await paydesk.notify(one).catch(({ message }) => message.includes('Refused: ') && (refused += 1));
    return { tried: malformed.length, refused };
  })()`);
  expect(outcome.refused).toBe(outcome.tried);
});
