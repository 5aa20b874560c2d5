export { ClearParkedSales, ParkedSalesQuestion } from './clear-parked-sales.tsx';
export { OrderLink } from './order-link.tsx';
export { cancelOrder, listOrders, orderQuery, refreshOrders } from './queries.ts';
export { paymentText } from './texts.ts';
