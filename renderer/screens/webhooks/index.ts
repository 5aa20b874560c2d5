export { EndpointScreen } from './endpoint-screen.tsx';
export { EventsScreen } from './history/events-screen.tsx';
export { WebhooksScreen } from './webhooks-screen.tsx';
