/** The part of autocannon that the benches use; the package brings no types. */
declare module 'autocannon' {
  interface Request {
    headers?: Record<string, string>;
  }
  interface Options {
    url: string;
    connections: number;
    duration: number;
    method: 'POST';
    body: string;
    requests: { setupRequest: (request: Request) => Request }[];
  }
  interface Result {
    non2xx: number;
    errors: number;
    /** Seconds. */
    duration: number;
    requests: { total: number };
    latency: { p50: number; p99: number };
  }
  export default function autocannon(options: Options): Promise<Result>;
}
