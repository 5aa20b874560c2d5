import type { paths } from '#client-types';

/** Header that the session adds to every request. */
type FromSession = 'X-Tenant-ID';

type Headers<Parameters> = Parameters extends { header?: infer Given } ? Omit<NonNullable<Given>, FromSession> : never;

/** The response of an operation that needs a second person is never seen by its caller: `authorizedFetch` waits for the approval. */
type WithoutApproval<Responses> = Responses extends { 200: unknown } | { 201: unknown } ? Omit<Responses, 202> : Responses;

type AsCalled<Operation> = Operation extends { parameters: infer Parameters; responses: infer Responses }
  ? Omit<Operation, 'parameters' | 'responses'> & {
      parameters: Omit<Parameters, 'header'> & { header?: Headers<Parameters> };
      responses: WithoutApproval<Responses>;
    }
  : Operation;

/** Paths of the service without what the session adds and handles. */
export type ClientPaths = { [Path in keyof paths]: { [Method in keyof paths[Path]]: AsCalled<paths[Path][Method]> } };
