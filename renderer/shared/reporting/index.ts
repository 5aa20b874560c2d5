export {
  comparedDays,
  type Days,
  daysOf,
  daysOfPoint,
  daysText,
  monthText,
  PERIODS,
  type Period,
  shiftedPeriod,
  shortDay,
  weekBefore,
  weekdayName,
  weekdayText,
} from './days.ts';
export { daySummaryQuery, type ReportQuery, refundsQuery, revenueQuery, todayQuery, transactionsQuery } from './queries.ts';
export { axisText, brandText, changeText, isTender, methodText, moneyText, rateText, typeText } from './texts.ts';
