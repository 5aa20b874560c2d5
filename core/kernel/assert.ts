/** A broken invariant: a fault of ours, never of the caller. It stops the work it happened in and is answered as INTERNAL_ERROR. */
export class InvariantError extends Error {
  override name = 'InvariantError';
}

/** Stops the present work when an invariant does not hold. For bad input throw a ServiceError instead. */
export function assert(condition: unknown, invariant: string): asserts condition {
  if (!condition) throw new InvariantError(invariant);
}

/** Marks the branch that cannot be reached; a new member of a union makes it a compile error. */
export function unreachable(value: never): never {
  throw new InvariantError(`unexpected value ${JSON.stringify(value)}`);
}
