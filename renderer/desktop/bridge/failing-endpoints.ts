/** Fields of a webhook endpoint that show whether it fails. */
interface EndpointHealth {
  readonly id: string;
  readonly url: string;
  readonly status: 'active' | 'disabled';
  readonly last24Hours: { readonly attempts: number; readonly successRate: number | null };
}

/** Minimum number of attempts for a judgment; fewer failures may be chance. */
const ATTEMPTS_MIN = 3;
const SUCCESS_MIN = 0.5;

/** Returns the failing endpoints: active, with more than half of the attempts of 24 hours failed. */
export function failingEndpoints<Endpoint extends EndpointHealth>(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  return endpoints.filter(
    ({ status, last24Hours: { attempts, successRate } }) =>
      status === 'active' && attempts >= ATTEMPTS_MIN && successRate !== null && successRate < SUCCESS_MIN,
  );
}

/** Returns the endpoints that did not fail at the last check; none at the first check. */
export function newlyFailing<Endpoint extends EndpointHealth>(
  known: ReadonlySet<string> | undefined,
  failing: readonly Endpoint[],
): readonly Endpoint[] {
  return known === undefined ? [] : failing.filter(({ id }) => !known.has(id));
}
