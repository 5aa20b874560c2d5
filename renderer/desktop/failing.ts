/** What of a webhook endpoint tells whether it fails. */
interface EndpointHealth {
  readonly id: string;
  readonly url: string;
  readonly status: 'active' | 'disabled';
  readonly last24Hours: { readonly attempts: number; readonly successRate: number | null };
}

/** Fewer attempts may be chance. */
const ATTEMPTS_MIN = 3;
const SUCCESS_MIN = 0.5;

/** The endpoints that fail: in use, and more than half of a day's attempts in vain. */
export function failingOf<Endpoint extends EndpointHealth>(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  return endpoints.filter(
    ({ status, last24Hours: { attempts, successRate } }) =>
      status === 'active' && attempts >= ATTEMPTS_MIN && successRate !== null && successRate < SUCCESS_MIN,
  );
}

/** Those of them that did not fail when it was last looked; none at the first look, since nothing has changed then. */
export function newlyFailing<Endpoint extends EndpointHealth>(
  known: ReadonlySet<string> | undefined,
  failing: readonly Endpoint[],
): readonly Endpoint[] {
  return known === undefined ? [] : failing.filter(({ id }) => !known.has(id));
}
