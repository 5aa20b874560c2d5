import { expect, test } from 'vitest';
import { createStore, onReset, resetModuleState } from '../../../renderer/base/module-state/index.ts';

test('a reset gives every store its initial state and calls every registered function', () => {
  const useCount = createStore<{ count: number; label?: string; add: () => void }>()((set) => ({
    count: 0,
    add: () => set(({ count }) => ({ count: count + 1, label: 'added' })),
  }));
  const { add } = useCount.getState();
  let calls = 0;
  onReset(() => {
    calls += 1;
  });
  add();
  expect(useCount.getState()).toMatchObject({ count: 1, label: 'added' });
  resetModuleState();
  expect(useCount.getState()).toEqual({ count: 0, add });
  expect(calls).toBe(1);
});
