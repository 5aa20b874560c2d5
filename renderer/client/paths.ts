import type { paths } from '#client-types';

/** Header that the session adds to every request. */
type FromSession = 'X-Tenant-ID';

type Headers<Parameters> = Parameters extends { header?: infer Given } ? Omit<NonNullable<Given>, FromSession> : never;

type WithoutSessionHeader<Operation> = Operation extends { parameters: infer Parameters }
  ? Omit<Operation, 'parameters'> & { parameters: Omit<Parameters, 'header'> & { header?: Headers<Parameters> } }
  : Operation;

/** Paths of the service without the parameters that the session adds. */
export type ClientPaths = { [Path in keyof paths]: { [Method in keyof paths[Path]]: WithoutSessionHeader<paths[Path][Method]> } };
