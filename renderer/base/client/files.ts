import { authorizedFetch } from './api.ts';
import { failureOf } from './failure.ts';

/** Requests a file from the service. A plain link cannot be used because the request needs the session. @throws ApiFailure with the service's reason. */
export async function requestFile(path: `/api/v1/${string}`, method: 'GET' | 'POST' = 'GET'): Promise<Response> {
  const response = await authorizedFetch(new Request(path, { method }));
  if (response.ok) return response;
  const body = await response.json().catch(() => undefined);
  throw await failureOf(response, body, Date.now());
}
