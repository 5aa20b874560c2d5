import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../core/kernel/errors.ts';
import { allows, refused, type Steps, step } from '../../../core/kernel/steps.ts';

type State = 'open' | 'closed';
type Operation = 'close' | 'reopen';
const TABLE: Steps<State, Operation> = {
  open: { close: 'closed', reopen: refused('RESOURCE_CONFLICT', 'It is open.') },
  closed: { close: refused('ALREADY_VOIDED', 'It is closed.', 'closed'), reopen: 'open' },
};

function refusalOf(state: State, operation: Operation, details?: Record<string, unknown>): ServiceError {
  try {
    step(TABLE, state, operation, details);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('the operation is allowed');
}

describe('a state table', () => {
  test('returns the next state of an allowed operation', () => {
    expect(step(TABLE, 'open', 'close')).toBe('closed');
    expect(allows(TABLE, 'open', 'close')).toBe(true);
  });

  test('throws a refusal with its code, message and details', () => {
    expect(allows(TABLE, 'open', 'reopen')).toBe(false);
    const { code, message, details } = refusalOf('open', 'reopen', { id: 'x' });
    expect({ code, message, details }).toStrictEqual({ code: 'RESOURCE_CONFLICT', message: 'It is open.', details: { id: 'x' } });
    expect(refusalOf('open', 'reopen').details).toStrictEqual({});
  });

  test('adds the reason of a refusal to the details', () => {
    const { code, details } = refusalOf('closed', 'close', { id: 'x' });
    expect({ code, details }).toStrictEqual({ code: 'ALREADY_VOIDED', details: { id: 'x', reason: 'closed' } });
  });

  test('omits the reason of a refusal that has none', () => {
    expect(refused('RESOURCE_CONFLICT', 'No.')).toStrictEqual({ code: 'RESOURCE_CONFLICT', message: 'No.' });
    expect(refused('RESOURCE_CONFLICT', 'No.', 'why')).toStrictEqual({ code: 'RESOURCE_CONFLICT', message: 'No.', reason: 'why' });
  });
});
