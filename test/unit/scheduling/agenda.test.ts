import { describe, expect, test } from 'vitest';
import { Agenda, TENANTS_ALONE_MAX } from '../../../core/platform/scheduling/agenda.ts';

const AGAIN = 15_000;

/** An agenda whose next check of all tenants is at `AGAIN`. */
function started(): Agenda {
  const agenda = new Agenda();
  agenda.take(0, AGAIN);
  return agenda;
}

describe('the agenda of a job', () => {
  test('begins with a check of all tenants', () => {
    const agenda = new Agenda();
    expect(agenda.nextAtMs).toBe(0);
    expect(agenda.take(0, AGAIN)).toBe('all');
    expect(agenda.nextAtMs).toBe(AGAIN);
  });

  test('returns only the tenants whose checks are due, each once', () => {
    const agenda = started();
    agenda.add('b', 20);
    agenda.add('a', 10);
    agenda.add('a', 30);
    agenda.add('c', 40);
    expect(agenda.nextAtMs).toBe(10);
    expect(agenda.take(25, 2 * AGAIN)).toEqual(['b', 'a']);
    expect(agenda.nextAtMs).toBe(40);
    expect(agenda.take(25, 2 * AGAIN)).toEqual([]);
  });

  test('lets a check of all tenants replace those of single tenants', () => {
    const agenda = started();
    agenda.add('a', 100);
    agenda.add(null, 50);
    expect(agenda.take(60, 60 + AGAIN)).toBe('all');
    expect(agenda.nextAtMs).toBe(60 + AGAIN);
  });

  test('checks all tenants instead of many single ones', () => {
    const agenda = started();
    for (let n = 0; n <= TENANTS_ALONE_MAX; n += 1) agenda.add(`t${n}`, n);
    expect(agenda.take(TENANTS_ALONE_MAX - 1, AGAIN)).toHaveLength(TENANTS_ALONE_MAX);
    for (let n = 0; n <= TENANTS_ALONE_MAX; n += 1) agenda.add(`t${n}`, n);
    expect(agenda.take(TENANTS_ALONE_MAX, 2 * AGAIN)).toBe('all');
  });

  test('keeps checks that are added while a check runs', () => {
    const agenda = started();
    agenda.add('a', 10);
    expect(agenda.take(10, AGAIN)).toEqual(['a']);
    agenda.add('a', 20);
    expect(agenda.take(20, AGAIN)).toEqual(['a']);
  });
});
