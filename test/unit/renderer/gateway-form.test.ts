import { expect, test } from 'vitest';
import type { Gateway, GatewayType } from '../../../renderer/client/shapes.ts';
import { asksProcessor, bodyOfChange, bodyOfNew, faultsOf, formOf, newForm } from '../../../renderer/screens/settings/gateways/form.ts';
import { freeName, healthWords, sendingTime, waitWords } from '../../../renderer/screens/settings/gateways/words.ts';

const field = { label: 'Key', isSecret: true, isRequired: true, lengthMax: 8, hint: '' };
const TYPE: GatewayType = {
  type: 'one',
  label: 'One',
  hasOwnHosts: false,
  hints: { cutoffTime: null },
  credentials: [
    { ...field, name: 'key' },
    { ...field, name: 'extra', isRequired: false },
  ],
};
const HEALTH: Gateway['health'] = {
  state: 'closed',
  since: null,
  failures: 0,
  lastAnswerAt: null,
  lastFailureAt: null,
  lastReason: null,
  nextProbeAt: null,
  isRefused: false,
};
const GATEWAY: Gateway = {
  id: 'gw_1',
  type: 'one',
  name: 'One',
  status: 'active',
  priority: 1,
  hasCredentials: true,
  settings: {
    mode: 'test',
    origin: 'http://127.0.0.1:4900',
    currency: 'USD',
    timezone: 'UTC',
    cutoffTime: '23:00',
    captureHoldMinutes: 30,
  },
  check: null,
  health: HEALTH,
  createdAt: '2026-03-05T10:00:00.000Z',
  updatedAt: '2026-03-05T10:00:00.000Z',
};

test.each([
  ['23:00', 30, '22:30'],
  ['23:00', 0, '23:00'],
  ['00:10', 30, '23:40'],
  ['00:00', 720, '12:00'],
] as const)('with a cutoff at %s, sends captures that leave %i minutes before it at %s', (cutoff, minutes, sent) => {
  expect(sendingTime(cutoff, minutes)).toBe(sent);
});

test('sends the changed fields only, without stored credentials', () => {
  const form = formOf(GATEWAY);
  expect(bodyOfChange(form, TYPE, GATEWAY)).toEqual({});
  const turned = bodyOfChange({ ...form, priority: '3', captureHoldMinutes: '45' }, TYPE, GATEWAY);
  expect(turned).toEqual({ priority: 3, captureHoldMinutes: 45 });
  expect(asksProcessor(turned)).toBe(false);
  const live = bodyOfChange({ ...form, mode: 'live', credentials: { key: ' new ' }, dropped: ['extra'] }, TYPE, GATEWAY);
  expect(live).toEqual({ mode: 'live', origin: null, credentials: { key: 'new', extra: '' } });
  expect(asksProcessor(live)).toBe(true);
});

test('leaves unset fields of a new gateway to the service', () => {
  expect(bodyOfNew({ ...newForm('one', ' One ', 2, 'usd'), credentials: { key: 'k', extra: ' ' } }, TYPE)).toEqual({
    type: 'one',
    name: 'One',
    priority: 2,
    credentials: { key: 'k' },
    mode: 'live',
    currency: 'USD',
    cutoffTime: '23:00',
    captureHoldMinutes: 30,
  });
});

test('faults are found at their fields, and kept credentials need not be typed again', () => {
  const form = { ...newForm('one', '', 0, 'USD'), cutoffTime: '24:00', captureHoldMinutes: '721' };
  expect(Object.keys(faultsOf(form, TYPE, false))).toEqual(['credentials.key', 'cutoffTime', 'captureHoldMinutes', 'name', 'priority']);
  expect(faultsOf(formOf(GATEWAY), TYPE, true)).toEqual({});
  expect(faultsOf({ ...formOf(GATEWAY), credentials: { key: '123456789' } }, TYPE, true)).toEqual({
    'credentials.key': 'At most 8 characters; these are 9.',
  });
});

test('claims no answer of a gateway that was never called', () => {
  const words = (health: Partial<Gateway['health']>) =>
    healthWords({ ...HEALTH, ...health }, null, 'UTC', Date.parse('2026-03-05T10:43:00Z'));
  expect(words({}).word).toBe('No answer heard yet');
  expect(words({ lastAnswerAt: '2026-03-05T10:00:00Z' }).word).toBe('Answers');
  expect(words({ state: 'open', since: '2026-03-05T10:42:00Z', nextProbeAt: '2026-03-05T10:43:30Z' })).toEqual({
    state: 'problem',
    word: 'Does not answer',
    rest: 'since 10:42 AM, asked again at 10:43 AM',
  });
});

test('suggests a name that no gateway has', () => {
  expect(freeName('NMI', [])).toBe('NMI');
  expect(freeName('NMI', ['NMI', 'NMI 2', 'Other'])).toBe('NMI 3');
});

test('distinguishes a refused account from a silent gateway', () => {
  const open = { ...HEALTH, state: 'open', since: '2026-03-05T15:42:00.000Z', lastReason: 'The key is not known.' } as const;
  const words = (health: Gateway['health']) => healthWords(health, null, 'America/New_York', Date.parse(open.since));
  expect(words({ ...open, isRefused: true })).toEqual({
    state: 'problem',
    word: 'Refuses the account',
    rest: 'since 10:42 AM. The key is not known.',
  });
  expect(words({ ...open, isRefused: false }).word).toBe('Does not answer');
  expect(words({ ...HEALTH, isRefused: false }).word).toBe('No answer heard yet');
});

test('explains how the reason against a removal ends', () => {
  const { settings } = GATEWAY;
  const waiting = (details: object) => waitWords({ reason: 'payments_open', ...details }, settings);
  const told = 'What waits goes by itself: captures at 22:30, UTC, refunds once the batch is closed.';
  expect(waiting({ held: 1, inDoubt: 0 })).toBe(told);
  expect(waiting({ held: 2, inDoubt: 1 })).toBe(told);
  for (const none of [{ held: 0, inDoubt: 1 }, {}, { open: 2 }]) expect(waiting(none)).toBeUndefined();
  expect(waitWords({ reason: 'in_use', held: 2 }, settings)).toBeUndefined();
});
