import { useLayoutEffect, useState } from 'react';

/** Returns a ref and the current width of its element in pixels; 0 until the element is shown. */
export function useWidth() {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (element === null) return undefined;
    setWidth(element.clientWidth);
    const watch = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    watch.observe(element);
    return () => watch.disconnect();
  }, [element]);
  return [setElement, width] as const;
}
