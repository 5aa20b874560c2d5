import { useEffect, useState } from 'react';

/** Returns a text once it has not changed for a while. */
export function useDebounced(text: string, forMs: number): string {
  const [debounced, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), forMs);
    return () => clearTimeout(timer);
  }, [text, forMs]);
  return debounced;
}
