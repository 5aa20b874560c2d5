import { create, type Mutate, type StateCreator, type StoreApi, type StoreMutatorIdentifier, type UseBoundStore } from 'zustand';

const resets: (() => void)[] = [];

/** Registers a function that gives the variables of a module the values that they have after a load of the page. */
export function onReset(reset: () => void): void {
  resets.push(reset);
}

/** Creates a store as `create` of zustand does. A reset of the application gives it its initial state. */
export function createStore<State>() {
  return <Mutators extends [StoreMutatorIdentifier, unknown][] = []>(
    initializer: StateCreator<State, [], Mutators>,
  ): UseBoundStore<Mutate<StoreApi<State>, Mutators>> => {
    const store = create<State>()(initializer);
    const api: StoreApi<State> = store;
    onReset(() => api.setState(api.getInitialState(), true));
    return store;
  };
}

/** Gives the state of all modules the values that it has after a load of the page. Storage of the browser is not changed, except by stores. */
export function resetModuleState(): void {
  for (const reset of resets) reset();
}
