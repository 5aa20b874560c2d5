/** The part of autocannon that the benchmarks use; the package contains no types. */
declare module 'autocannon' {
  interface Request {
    headers?: Record<string, string>;
  }
  interface Options {
    url: string;
    connections: number;
    duration: number;
    /** Requests per second of all connections together; as fast as possible by default. */
    overallRate?: number;
    method: 'POST';
    body: string;
    requests: { setupRequest: (request: Request) => Request }[];
  }
  interface Result {
    non2xx: number;
    errors: number;
    /** Duration in seconds. */
    duration: number;
    requests: { total: number };
    latency: { p50: number; p99: number };
  }
  export default function autocannon(options: Options): Promise<Result>;
}
