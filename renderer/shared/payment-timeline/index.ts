export { PaymentTimeline } from './timeline.tsx';
