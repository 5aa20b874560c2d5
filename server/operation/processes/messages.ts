/** Environment variable that contains the role of a process. */
export const ROLE_VARIABLE = 'PAYDESK_PROCESS_ROLE';

/** Interval at which a process reports that its event loop runs. */
export const ALIVE_EVERY_MS = 1_000;

/** Role of one process of a server that runs several. */
export interface Role {
  /** Number of the process, from 1. A process that replaces one that ended has its number. */
  readonly index: number;
  /** Number of processes that the server runs. */
  readonly count: number;
  /** False for a process that replaces one that ended. */
  readonly isFirstStart: boolean;
  readonly port: number;
  readonly metricsPort: number | null;
  /** Identifies the server among those of its database. */
  readonly serverName: string;
}

/** Processes of a server at one moment. */
export interface GroupState {
  /** Number of processes that should run: one until the installation is set up. */
  readonly expected: number;
  /** Numbers of the processes that accept requests. */
  readonly running: readonly number[];
  /** Number of the process that runs jobs; null for a moment after its end. */
  readonly leader: number | null;
  /** Number of processes that ended unexpectedly and were replaced. */
  readonly restarts: number;
}

/** Content of the line that a server prints when it is ready. */
export interface ReadyLine {
  readonly baseUrl: string;
  readonly environment: 'sandbox' | 'live' | 'unset';
  readonly credentials?: unknown;
  readonly metricsUrl?: string;
}

/** Message of a process to the main process, which forwards `publish` and `request` to all others, and `response` to one. */
export type UpMessage =
  | { readonly kind: 'ready'; readonly line: ReadyLine }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'alive' }
  | { readonly kind: 'stopping' }
  | { readonly kind: 'set-up' }
  | { readonly kind: 'publish'; readonly topic: string; readonly data: unknown }
  | { readonly kind: 'request'; readonly id: number; readonly topic: string; readonly data: unknown }
  | { readonly kind: 'response'; readonly to: number; readonly id: number; readonly data: unknown };

/** Message of the main process to another one. */
export type DownMessage =
  | { readonly kind: 'state'; readonly state: GroupState }
  | { readonly kind: 'publish'; readonly from: number; readonly topic: string; readonly data: unknown }
  | { readonly kind: 'request'; readonly from: number; readonly id: number; readonly topic: string; readonly data: unknown }
  | { readonly kind: 'response'; readonly from: number; readonly id: number; readonly data: unknown };
