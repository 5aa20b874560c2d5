/**
 * Runs a build for production, whatever NODE_ENV is, and restores it. Vite would otherwise take the development version of packages, for example in tests
 * or in a shell that says `development`, and pages once built are kept.
 */
export async function forProduction<Result>(build: () => Promise<Result>): Promise<Result> {
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    return await build();
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}
