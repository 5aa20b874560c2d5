export { RecordLink } from './record-link.tsx';
export { relatedRecord } from './related-record.ts';
