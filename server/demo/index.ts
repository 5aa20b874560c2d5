export { type DemoCredentials, seedDemo } from './demo.ts';
export type { PastTrade } from './past-trade.ts';
export { seedSales } from './sample-sales.ts';
export { seedHistory } from './seed.ts';
