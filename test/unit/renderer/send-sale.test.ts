import { describe, expect, test } from 'vitest';
import { attemptKeys, takeInterruptedCharge } from '../../../renderer/screens/sell/charge/attempt-key.ts';
import { type ChargeResult, type Refusal, readBody, readFailure } from '../../../renderer/screens/sell/charge/charge-result.ts';
import {
  DOUBLE_PRESS_MS,
  type EnterState,
  handleEnter,
  handleOtherKey,
  INITIAL_ENTER_STATE,
  recordResult,
} from '../../../renderer/screens/sell/charge/enter-guard.ts';
import { SENDS_MAX, sendUntilAnswered } from '../../../renderer/screens/sell/charge/send-until-answered.ts';

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
const noResponse: ChargeResult = { kind: 'no-response' };

describe('the response to a sale', () => {
  test('reports an approval only when the service says so', () => {
    expect(approved).toMatchObject({ kind: 'approved', transaction: { transactionId: 'txn_1' } });
    expect(readBody({ success: true, data: { transactionId: 'txn_1', status: 'pending' } }).kind).toBe('pending');
  });

  test('returns the code and checks of a decline', () => {
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
        billing: null,
        cvvResponse: 'N',
      },
    });
  });

  test("reports an unconfirmed charge, not an error, if the processor's answer was lost", () => {
    const lost = failure('GATEWAY_TIMEOUT', 502, { details: { transactionId: 'txn_3' } });
    expect(readFailure(lost)).toEqual({ kind: 'unconfirmed', transactionId: 'txn_3' });
  });

  test('returns message, code, field and request ID of a refusal', () => {
    const refusal = failure('INVALID_CARD_NUMBER', 400, { field: 'card.number' });
    expect(readFailure(refusal)).toEqual({ kind: 'refused', refusal });
  });

  test.each([undefined, null, '<html>', {}, { success: true }, { success: false, data: {} }])(
    'treats a malformed response as missing (%j)',
    (body) => {
      expect(readBody(body)).toEqual(noResponse);
    },
  );

  test('treats a response that does not come from the service as missing', () => {
    expect(readFailure(failure('UNREACHABLE', 0))).toEqual(noResponse);
    expect(readFailure(failure('HTTP_502', 502))).toEqual(noResponse);
  });
});

describe('sending a sale', () => {
  const send = (answers: ChargeResult[], pauses: number[] = []) => {
    let sends = 0;
    const sendRequest = async () => answers[Math.min(sends++, answers.length - 1)] ?? noResponse;
    const answered = sendUntilAnswered({ sendRequest, wait: async (ms) => void pauses.push(ms), now: () => 0 });
    return answered.then((answer) => ({ answer, sends, pauses }));
  };

  test('repeats the request with pauses while there is no response or the first request is running', async () => {
    const { answer, pauses } = await send([noResponse, running, approved]);
    expect(answer.kind).toBe('approved');
    expect(pauses).toEqual([400, 1000]);
  });

  test.each([noResponse, running])(
    'stops after a bounded number of requests and reports a missing response, never a failure',
    async (reply) => {
      const { answer, sends } = await send([reply]);
      expect([answer.kind, sends]).toEqual(['no-response', SENDS_MAX]);
    },
  );

  test('reports a conflict that is not a running request as a refusal', async () => {
    const { answer, sends } = await send([readFailure(failure('RESOURCE_CONFLICT', 409))]);
    expect(answer).toMatchObject({ kind: 'refused', refusal: { code: 'RESOURCE_CONFLICT' } });
    expect(sends).toBe(1);
  });
});

describe('the idempotency key of an attempt', () => {
  test('stores the key before its use, keeps it until the outcome is known, and then replaces it', () => {
    const storage = memory();
    let made = 0;
    const keys = attemptKeys(storage, () => `key-${++made}`);
    expect(keys.current()).toBe('key-1');
    expect(storage.kept()).toEqual(['key-1']);
    expect(keys.current()).toBe('key-1');
    keys.discard();
    expect(storage.kept()).toEqual([]);
    expect(keys.current()).toBe('key-2');
  });

  test('reports a charge with an unseen outcome once after a reload', () => {
    const storage = memory();
    attemptKeys(storage, () => 'key').current();
    expect([takeInterruptedCharge(storage), takeInterruptedCharge(storage)]).toEqual([true, false]);
  });
});

describe('Enter', () => {
  test('Enter charges once for twenty presses and keeps the result, however fast the response', () => {
    for (const answerAfter of [0, 1, 5, 19]) {
      let state: EnterState = INITIAL_ENTER_STATE;
      let charged = 0;
      const deferred: number[] = [];
      for (let press = 0; press < 20; press += 1) {
        const at = press * 10;
        const busy = charged > 0 && press <= answerAfter;
        if (press === answerAfter + 1) state = recordResult(state, at - 5);
        const next = handleEnter(state, at, busy);
        state = next.state;
        if (next.decision === 'act') charged += 1;
        if (next.decision === 'wait') deferred.push(at);
        else if (deferred.length > 0 && next.decision === 'ignore' && at - (deferred.at(-1) ?? 0) < DOUBLE_PRESS_MS) deferred.pop();
      }
      expect(charged).toBe(1);
      expect(deferred.length).toBeLessThanOrEqual(answerAfter === 19 ? 1 : 0);
    }
  });

  test('Enter responds to a single press immediately, or shortly after a response', () => {
    expect(handleEnter(INITIAL_ENTER_STATE, 1000, false).decision).toBe('act');
    const answered = recordResult(INITIAL_ENTER_STATE, 1000);
    expect(handleEnter(answered, 1040, false).decision).toBe('wait');
    expect(handleEnter(answered, 3000, false).decision).toBe('act');
  });

  test('Enter counts again after a pause or any other key', () => {
    const repeating = recordResult(handleEnter(INITIAL_ENTER_STATE, 1000, true).state, 1010);
    expect(handleEnter(repeating, 1020, false).decision).toBe('ignore');
    expect(handleEnter(repeating, 2600, false).decision).toBe('act');
    expect(handleEnter(handleOtherKey(repeating, false), 1030, false).decision).toBe('act');
    expect(handleOtherKey(repeating, true)).toBe(repeating);
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
