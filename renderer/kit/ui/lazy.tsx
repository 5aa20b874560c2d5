import { type ComponentType, type ReactNode, useEffect, useReducer, useState } from 'react';

/** Loads a component. It must be the same function each time, because it is the cache key. */
type Load<Props extends object> = () => Promise<ComponentType<Props>>;

interface LazyProps<Props extends object> {
  readonly load: Load<Props>;
  readonly props: Props;
  /** Placeholder until it is loaded. */
  readonly fallback?: ReactNode;
}

const loadedComponents = new WeakMap<object, unknown>();

/**
 * A component that is loaded when it is first shown. A failure to load is a render error. React's own `lazy` delays content by 0.3 s; this
 * shows it as soon as it is loaded.
 */
export function Lazy<Props extends object>({ load: fetch, props, fallback = null }: LazyProps<Props>) {
  const [failure, setFailure] = useState<Error>();
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  const Loaded = loadedComponents.get(fetch) as ComponentType<Props> | undefined;
  useEffect(() => {
    if (loadedComponents.has(fetch)) return;
    fetch().then((component) => {
      loadedComponents.set(fetch, component);
      rerender();
    }, setFailure);
  }, [fetch]);
  if (failure) throw failure;
  return Loaded ? <Loaded {...props} /> : fallback;
}
