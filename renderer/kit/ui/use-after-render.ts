import { useCallback, useLayoutEffect, useRef, useState } from 'react';

type Task = () => void;

/**
 * Returns a function that runs a task after the state changes of the same event are rendered, before the browser paints.
 * A field that appears with a change can be focused that way. Each task runs once, in the order of the calls.
 */
export function useAfterRender(): (task: Task) => void {
  // The tasks are state, so that React commits each together with the changes that were made beside it.
  const [tasks, setTasks] = useState<readonly Task[]>([]);
  const done = useRef(new WeakSet<Task>());
  useLayoutEffect(() => {
    for (const task of tasks) {
      if (done.current.has(task)) continue;
      done.current.add(task);
      task();
    }
  }, [tasks]);
  return useCallback((task) => {
    // A new function, so that the same task given twice runs twice.
    const once = () => task();
    setTasks((waiting) => [...waiting.filter((other) => !done.current.has(other)), once]);
  }, []);
}
