import { type ComponentType, type ReactNode, useEffect, useReducer, useState } from 'react';

/** Fetches a component; the same function each time, so that what has come is known again. */
type Fetch<Props extends object> = () => Promise<ComponentType<Props>>;

interface FetchedProps<Props extends object> {
  readonly of: Fetch<Props>;
  readonly props: Props;
  /** Placeholder until it is loaded. */
  readonly meanwhile?: ReactNode;
}

const known = new WeakMap<object, unknown>();

/**
 * A component that is loaded when it is first shown. A failure to load is a render error. React's own `lazy` delays content by 0.3 s; this
 * shows it as soon as it is loaded.
 */
export function Fetched<Props extends object>({ of: fetch, props, meanwhile = null }: FetchedProps<Props>) {
  const [failure, setFailure] = useState<Error>();
  const [, showArrived] = useReducer((count: number) => count + 1, 0);
  const Known = known.get(fetch) as ComponentType<Props> | undefined;
  useEffect(() => {
    if (known.has(fetch)) return;
    fetch().then((component) => {
      known.set(fetch, component);
      showArrived();
    }, setFailure);
  }, [fetch]);
  if (failure) throw failure;
  return Known ? <Known {...props} /> : meanwhile;
}
