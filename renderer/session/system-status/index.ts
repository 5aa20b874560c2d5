export { statusQuery } from './queries.ts';
export { fixLink, jobName, jobState, nameOf, summaryOf } from './texts.ts';
