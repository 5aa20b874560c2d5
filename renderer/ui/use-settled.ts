import { useEffect, useState } from 'react';

/** A text once it has stood still for so long. */
export function useSettled(text: string, forMs: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), forMs);
    return () => clearTimeout(timer);
  }, [text, forMs]);
  return settled;
}
