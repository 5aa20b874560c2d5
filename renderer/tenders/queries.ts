import { queryOptions } from '@tanstack/react-query';
import { api, takeData, takePage } from '#renderer/client';

const OPEN_MAX = 50;

/** The open shift in which cash at a drawer is counted; null if there is none. */
export const currentShiftQuery = (merchantId: string, drawer: string) =>
  queryOptions({
    queryKey: ['shifts', 'current', merchantId, drawer],
    queryFn: async () => (await takeData(api.GET('/api/v1/shifts/current', { params: { query: { merchantId, drawer } } }))).shift,
  });

/** All open shifts of a merchant. */
export const openShiftsQuery = (merchantId: string) =>
  queryOptions({
    queryKey: ['shifts', 'open', merchantId],
    queryFn: async () =>
      (await takePage(api.GET('/api/v1/shifts', { params: { query: { merchantId, status: 'open', limit: OPEN_MAX } } }))).items,
  });
