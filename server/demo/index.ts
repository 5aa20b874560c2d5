export { type DemoCredentials, openDemo } from './demo.ts';
export type { HistoryOptions } from './sample-history.ts';
export { seedSales } from './sample-sales.ts';
export { seedHistory } from './seed.ts';
export { discardUnfinishedDemo, keepUnfinishedDemo } from './unfinished.ts';
