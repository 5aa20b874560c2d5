type Bound<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (deps: never, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** Returns functions whose first parameter is given: the operations of a capability with its dependencies. */
export const bind = <Deps, const Functions extends Readonly<Record<string, (deps: Deps, ...rest: never[]) => unknown>>>(
  deps: Deps,
  functions: Functions,
): Bound<Functions> =>
  Object.fromEntries(Object.entries(functions).map(([name, run]) => [name, run.bind(null, deps)])) as unknown as Bound<Functions>;
