import { describe, expect, test } from 'vitest';
import { type Answer, type Refusal, readBody, readFailure } from '../../../renderer/screens/sell/charge/answer.ts';
import { attemptKeys, takeInterrupted } from '../../../renderer/screens/sell/charge/attempt-key.ts';
import {
  answerCame,
  DOUBLE_STRIKE_MS,
  ENTER_AT_REST,
  type EnterState,
  strikeEnter,
  strikeOther,
} from '../../../renderer/screens/sell/charge/enter-guard.ts';
import { SENDS_MAX, sendUntilAnswered } from '../../../renderer/screens/sell/charge/sending.ts';

const failure = (code: string, status: number, rest: Partial<Refusal> = {}): Refusal => ({
  code,
  status,
  message: 'Words.',
  field: undefined,
  details: {},
  requestId: 'req_1',
  retryAtMs: undefined,
  ...rest,
});
const approved = readBody({ success: true, data: { transactionId: 'txn_1', status: 'approved' } });
const running = readFailure(failure('RESOURCE_CONFLICT', 409, { retryAtMs: 1000 }));
const silence: Answer = { kind: 'silence' };

describe('an answer', () => {
  test('is approved only when the service says so', () => {
    expect(approved).toMatchObject({ kind: 'approved', transaction: { transactionId: 'txn_1' } });
    expect(readBody({ success: true, data: { transactionId: 'txn_1', status: 'pending' } }).kind).toBe('pending');
  });

  test('of a decline keeps its code and the checks', () => {
    const data = {
      status: 'declined',
      declineCode: 'cvv_failure',
      declineReason: 'Security code wrong',
      transactionId: 'txn_2',
      cvvResponse: 'N',
    };
    expect(readBody({ success: false, data })).toEqual({
      kind: 'declined',
      decline: {
        transactionId: 'txn_2',
        declineCode: 'cvv_failure',
        declineReason: 'Security code wrong',
        avsResponse: null,
        cvvResponse: 'N',
      },
    });
  });

  test('that was lost at the processor is doubt, not an error', () => {
    const lost = failure('GATEWAY_TIMEOUT', 502, { details: { transactionId: 'txn_3' } });
    expect(readFailure(lost)).toEqual({ kind: 'doubt', transactionId: 'txn_3' });
  });

  test('of a refusal keeps words, code, field and request id', () => {
    const refusal = failure('INVALID_CARD_NUMBER', 400, { field: 'card.number' });
    expect(readFailure(refusal)).toEqual({ kind: 'refused', refusal });
  });

  test.each([undefined, null, '<html>', {}, { success: true }, { success: false, data: {} }])(
    'that makes no sense (%j) is silence',
    (body) => {
      expect(readBody(body)).toEqual(silence);
    },
  );

  test('that is not in the service’s own words is silence', () => {
    expect(readFailure(failure('UNREACHABLE', 0))).toEqual(silence);
    expect(readFailure(failure('HTTP_502', 502))).toEqual(silence);
  });
});

describe('sending', () => {
  const send = (answers: Answer[], pauses: number[] = []) => {
    let sends = 0;
    const ask = async () => answers[Math.min(sends++, answers.length - 1)] ?? silence;
    const answered = sendUntilAnswered({ ask, wait: async (ms) => void pauses.push(ms), now: () => 0 });
    return answered.then((answer) => ({ answer, sends, pauses }));
  };

  test('asks again after silence and while the first is still running, and pauses between', async () => {
    const { answer, pauses } = await send([silence, running, approved]);
    expect(answer.kind).toBe('approved');
    expect(pauses).toEqual([400, 1000]);
  });

  test.each([silence, running])('gives up after a bounded number of sends and calls it silence, never a failure', async (reply) => {
    const { answer, sends } = await send([reply]);
    expect([answer.kind, sends]).toEqual(['silence', SENDS_MAX]);
  });

  test('takes a conflict that is not a running twin for what it is', async () => {
    const { answer, sends } = await send([readFailure(failure('RESOURCE_CONFLICT', 409))]);
    expect(answer).toMatchObject({ kind: 'refused', refusal: { code: 'RESOURCE_CONFLICT' } });
    expect(sends).toBe(1);
  });
});

describe('the key of an attempt', () => {
  test('is written down before it is used, stays until the outcome is known, and then changes', () => {
    const storage = memory();
    let made = 0;
    const keys = attemptKeys(storage, () => `key-${++made}`);
    expect(keys.open()).toBe('key-1');
    expect(storage.kept()).toEqual(['key-1']);
    expect(keys.open()).toBe('key-1');
    keys.finish();
    expect(storage.kept()).toEqual([]);
    expect(keys.open()).toBe('key-2');
  });

  test('tells a reloaded page of a charge whose outcome it never saw, once', () => {
    const storage = memory();
    attemptKeys(storage, () => 'key').open();
    expect([takeInterrupted(storage), takeInterrupted(storage)]).toEqual([true, false]);
  });
});

describe('Enter', () => {
  test('charges once for twenty presses and keeps the result, however fast the answer', () => {
    for (const answerAfter of [0, 1, 5, 19]) {
      let state: EnterState = ENTER_AT_REST;
      let charged = 0;
      const deferred: number[] = [];
      for (let strike = 0; strike < 20; strike += 1) {
        const at = strike * 10;
        const busy = charged > 0 && strike <= answerAfter;
        if (strike === answerAfter + 1) state = answerCame(state, at - 5);
        const next = strikeEnter(state, at, busy);
        state = next.state;
        if (next.verdict === 'go') charged += 1;
        if (next.verdict === 'wait') deferred.push(at);
        else if (deferred.length > 0 && next.verdict === 'ignore' && at - (deferred.at(-1) ?? 0) < DOUBLE_STRIKE_MS) deferred.pop();
      }
      expect(charged).toBe(1);
      expect(deferred.length).toBeLessThanOrEqual(answerAfter === 19 ? 1 : 0);
    }
  });

  test('obeys a single press: immediately at rest, or shortly after an answer', () => {
    expect(strikeEnter(ENTER_AT_REST, 1000, false).verdict).toBe('go');
    const answered = answerCame(ENTER_AT_REST, 1000);
    expect(strikeEnter(answered, 1040, false).verdict).toBe('wait');
    expect(strikeEnter(answered, 3000, false).verdict).toBe('go');
  });

  test('counts again after a pause, or after any other key', () => {
    const hammered = answerCame(strikeEnter(ENTER_AT_REST, 1000, true).state, 1010);
    expect(strikeEnter(hammered, 1020, false).verdict).toBe('ignore');
    expect(strikeEnter(hammered, 2600, false).verdict).toBe('go');
    expect(strikeEnter(strikeOther(hammered, false), 1030, false).verdict).toBe('go');
    expect(strikeOther(hammered, true)).toBe(hammered);
  });
});

function memory() {
  const entries = new Map<string, string>();
  return {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
    kept: () => [...entries.values()],
  };
}
