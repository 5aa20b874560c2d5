import type { paths } from './api-types.ts';

/** The header that every request gets from the session, and no caller writes. */
type FromSession = 'X-Tenant-ID';

type Headers<Parameters> = Parameters extends { header?: infer Given } ? Omit<NonNullable<Given>, FromSession> : never;

type Called<Operation> = Operation extends { parameters: infer Parameters }
  ? Omit<Operation, 'parameters'> & { parameters: Omit<Parameters, 'header'> & { header?: Headers<Parameters> } }
  : Operation;

/** Paths of the service without the parameters that the session adds. */
export type ClientPaths = { [Path in keyof paths]: { [Method in keyof paths[Path]]: Called<paths[Path][Method]> } };
