import { buildDesktopWhenStale } from '../../scripts/build-when-stale.ts';

/** Builds the application once for all files of tests, which run it as it is shipped. */
export default async function setup(): Promise<void> {
  await buildDesktopWhenStale();
}
