import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The heading of what opens; it takes the focus as it appears, if it is wanted at that moment, and never again. */
export function useHeadingFocus(takesFocus: boolean): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const [isWanted] = useState(takesFocus);
  useLayoutEffect(() => {
    if (isWanted) heading.current?.focus();
  }, [isWanted]);
  return heading;
}
