import { useRef, useState } from 'react';

interface OpenPanel<Id> {
  readonly panel: Id | undefined;
  readonly open: (id: Id) => void;
  /** Returns the function that closes a panel, unless another one was opened in the meantime. */
  readonly closeHandler: (id: Id) => () => void;
}

/** Open panel below the actions of a record; `onClosed` is called when there is none. */
export function usePanel<Id extends string>(onClosed: () => void, first?: Id): OpenPanel<Id> {
  const [panel, setPanel] = useState(first);
  const latest = useRef(first);
  const show = (id: Id | undefined) => {
    latest.current = id;
    setPanel(id);
  };
  const closeHandler = (id: Id) => () => {
    if (latest.current !== id) return;
    show(undefined);
    onClosed();
  };
  return { panel, open: show, closeHandler };
}
