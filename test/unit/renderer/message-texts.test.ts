import { describe, expect, test } from 'vitest';
import type { Message } from '../../../renderer/base/client/shapes.ts';
import { firstLine, nextRetryText, statusNoteOf } from '../../../renderer/screens/messages/texts.ts';
import { relatedRecord } from '../../../renderer/shared/record-links/related-record.ts';

const NOW = Date.parse('2026-11-20T22:14:00Z');
const MINUTE_MS = 60_000;

const message: Message = {
  messageId: 'msg_1',
  channel: 'email',
  kind: 'receipt',
  resourceId: 'txn_1',
  to: 'ada@example.com',
  subject: 'Your receipt',
  body: 'Thank you.',
  status: 'queued',
  attempts: 0,
  lastError: null,
  sentAt: null,
  nextTryAt: null,
  isSecret: false,
  attachment: null,
  createdAt: '2026-11-20T22:14:00Z',
};

test.each([
  [-1, 'now'],
  [0, 'now'],
  [1, 'in 1 min'],
  [5 * MINUTE_MS, 'in 5 min'],
  [60 * MINUTE_MS, 'in 1 h'],
  [2 * 60 * MINUTE_MS + 1, 'in 2 h'],
  [12 * 60 * MINUTE_MS, 'in 12 h'],
])('shows an attempt that is due in %i ms as %s', (inMs, words) => {
  expect(nextRetryText({ ...message, nextTryAt: new Date(NOW + inMs).toISOString() }, NOW)).toBe(words);
});

test.each(['waiting', 'sent', 'failed', 'expired'] as const)('shows no further attempt of a message that is %s', (status) => {
  expect(nextRetryText({ ...message, status, nextTryAt: new Date(NOW).toISOString() }, NOW)).toBeNull();
});

describe('the status of a message', () => {
  test('shows a new message as being sent, and a refused one with the reason and the next attempt', () => {
    expect(statusNoteOf(message, 'now')?.text).toBe('It’s being sent.');
    expect(statusNoteOf({ ...message, lastError: 'Response: 450 later' }, 'in 5 min')?.text).toBe(
      'Response: 450 later. Next retry: in 5 min.',
    );
  });

  test('says that a failed message is not retried, also without a known reason', () => {
    expect(statusNoteOf({ ...message, status: 'failed' }, null)).toEqual({
      tone: 'error',
      text: 'It wasn’t accepted. There are no more automatic retries.',
    });
  });

  test('shows nothing for a sent message', () => {
    expect(statusNoteOf({ ...message, status: 'sent' }, null)).toBeNull();
  });
});

test('shows the first line with text, and a hidden secret by its kind', () => {
  const sms = { ...message, channel: 'sms', subject: null } as const;
  expect(firstLine({ ...sms, body: '\n  \nHarbor: 20.00 USD\nThank you' })).toBe('Harbor: 20.00 USD');
  expect(firstLine({ ...sms, body: '', isSecret: true })).toBe('Hidden: contains a one-time code or link');
});

test.each([
  ['txn_1', '/transactions/txn_1'],
  ['inv_1', '/invoices/inv_1'],
  ['sub_1', '/recurring/sub_1'],
  ['usr_1', undefined],
  [null, undefined],
])('links %s to %s', (resourceId, path) => {
  expect(relatedRecord(resourceId)?.path).toBe(path);
});
