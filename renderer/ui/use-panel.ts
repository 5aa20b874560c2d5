import { useRef, useState } from 'react';

interface OpenPanel<Id> {
  readonly panel: Id | undefined;
  readonly open: (id: Id) => void;
  /** Answers how a panel closes itself; another that was opened meanwhile stays. */
  readonly closing: (id: Id) => () => void;
}

/** Which panel stands open beneath the actions of something; `onClosed` once it is none. */
export function usePanel<Id extends string>(onClosed: () => void, first?: Id): OpenPanel<Id> {
  const [panel, setPanel] = useState(first);
  const latest = useRef(first);
  const show = (id: Id | undefined) => {
    latest.current = id;
    setPanel(id);
  };
  const closing = (id: Id) => () => {
    if (latest.current !== id) return;
    show(undefined);
    onClosed();
  };
  return { panel, open: show, closing };
}
