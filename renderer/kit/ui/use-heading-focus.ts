import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Returns a ref for the heading of a record that opens. It takes the focus once, when it appears, if `takesFocus` is true then. */
export function useHeadingFocus(takesFocus: boolean): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const [isWanted] = useState(takesFocus);
  useLayoutEffect(() => {
    if (isWanted) heading.current?.focus();
  }, [isWanted]);
  return heading;
}
