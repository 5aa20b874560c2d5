import { expect, test } from 'vitest';
import type { Gateway, GatewayType } from '../../../renderer/base/client/shapes.ts';
import { asksProcessor, bodyOfChange, bodyOfNew, faultsOf, formOf, newForm } from '../../../renderer/screens/settings/gateways/form.ts';
import { healthText, sendingTime, unusedName, waitText } from '../../../renderer/screens/settings/gateways/texts.ts';

const field = { label: 'Key', isSecret: true, isRequired: true, lengthMax: 8, isMultiline: false, hint: '' };
const TYPE: GatewayType = {
  type: 'one',
  label: 'One',
  hasOwnHosts: false,
  pairsReadersBy: null,
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
    channels: null,
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
] as const)('with a cutoff at %s and %i minutes before it, sends captures at %s', (cutoff, minutes, sent) => {
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

test('reports errors at their fields, and does not require stored credentials again', () => {
  const form = { ...newForm('one', '', 0, 'USD'), cutoffTime: '24:00', captureHoldMinutes: '721' };
  expect(Object.keys(faultsOf(form, TYPE, false))).toEqual(['credentials.key', 'cutoffTime', 'captureHoldMinutes', 'name', 'priority']);
  expect(faultsOf(formOf(GATEWAY), TYPE, true)).toEqual({});
  expect(faultsOf({ ...formOf(GATEWAY), credentials: { key: '123456789' } }, TYPE, true)).toEqual({
    'credentials.key': 'At most 8 characters; you entered 9.',
  });
});

test('shows no answer of a gateway that was never called', () => {
  const texts = (health: Partial<Gateway['health']>) =>
    healthText({ ...HEALTH, ...health }, null, 'UTC', Date.parse('2026-03-05T10:43:00Z'));
  expect(texts({}).label).toBe('No response yet');
  expect(texts({ lastAnswerAt: '2026-03-05T10:00:00Z' }).label).toBe('Responding');
  expect(texts({ state: 'open', since: '2026-03-05T10:42:00Z', nextProbeAt: '2026-03-05T10:43:30Z' })).toEqual({
    state: 'problem',
    label: 'Not responding',
    detail: 'since 10:42 AM, next check at 10:43 AM',
  });
});

test('suggests a name that no gateway has', () => {
  expect(unusedName('NMI', [])).toBe('NMI');
  expect(unusedName('NMI', ['NMI', 'NMI 2', 'Other'])).toBe('NMI 3');
});

test('distinguishes a refused account from a silent gateway', () => {
  const open = { ...HEALTH, state: 'open', since: '2026-03-05T15:42:00.000Z', lastReason: 'The key is not known.' } as const;
  const texts = (health: Gateway['health']) => healthText(health, null, 'America/New_York', Date.parse(open.since));
  expect(texts({ ...open, isRefused: true })).toEqual({
    state: 'problem',
    label: 'Rejects the account',
    detail: 'since 10:42 AM. The key is not known.',
  });
  expect(texts({ ...open, isRefused: false }).label).toBe('Not responding');
  expect(texts({ ...HEALTH, isRefused: false }).label).toBe('No response yet');
});

test('explains how the reason against a removal ends', () => {
  const { settings } = GATEWAY;
  const waiting = (details: object) => waitText({ reason: 'payments_open', ...details }, settings);
  const explanation = 'Pending operations finish automatically: captures at 22:30, UTC, refunds after the batch closes.';
  expect(waiting({ held: 1, unconfirmed: 0 })).toBe(explanation);
  expect(waiting({ held: 2, unconfirmed: 1 })).toBe(explanation);
  for (const none of [{ held: 0, unconfirmed: 1 }, {}, { open: 2 }]) expect(waiting(none)).toBeUndefined();
  expect(waitText({ reason: 'in_use', held: 2 }, settings)).toBeUndefined();
});
