// Loaded before the compiler by `node --import`, so that it never checks clients that are older than the service.
import { writeClientsWhenStale } from './client-types.ts';

await writeClientsWhenStale();
