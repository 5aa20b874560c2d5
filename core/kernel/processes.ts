/** Response of another process; `data` is undefined if it did not respond in time. */
export interface ProcessResponse<Data> {
  /** Number of the process. */
  readonly index: number;
  readonly data: Data | undefined;
}

/** Exchange of short messages with the other processes of the server (decision record 200). Data must be valid as JSON. */
export interface ProcessExchange {
  /** Sends data to all other processes. They receive it within milliseconds, or never if one of the processes ends. */
  publish(topic: string, data: unknown): void;
  subscribe<Data>(topic: string, listener: (data: Data) => void): void;
  /** Sends a request to all other processes that run, and returns their responses within a second. */
  request<Data>(topic: string, data?: unknown): Promise<readonly ProcessResponse<Data>[]>;
  /** Responds to the requests of other processes. A failure counts as no response. */
  respond<Data>(topic: string, responder: (data: Data) => unknown): void;
}

/** Exchange of a server that runs in one process. */
export const NO_OTHER_PROCESSES: ProcessExchange = {
  publish: () => {},
  subscribe: () => {},
  request: async () => [],
  respond: () => {},
};
