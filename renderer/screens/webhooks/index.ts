export { EndpointScreen } from './endpoint-screen.tsx';
export { WebhooksScreen } from './webhooks-screen.tsx';
