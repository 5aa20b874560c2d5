import { type Caller, type Currency, type Money, money } from '#core/kernel';
import { type DailyAggregate, readDailyAggregates, sum } from './daily-aggregates.ts';
import type { Dependencies } from './dependencies.ts';
import type { PersonTips, TipReport } from './records.ts';
import { type AnalyticsQuery, scopeOf } from './scope.ts';

/** Parts of captured amounts, less those of canceled captures and of refunds. */
interface PartSums {
  readonly tips: Money;
  readonly surcharges: Money;
  readonly taxes: Money;
}

/** Returns the parts within the movements of some rows. */
export function partSumsOf(rows: readonly DailyAggregate[], currency: Currency): PartSums {
  const net = (measure: 'tip' | 'surcharge' | 'tax') =>
    money(
      sum(rows, { fact: 'capture', measure }) - sum(rows, { fact: ['capture_reversed', 'refund', 'refund_outside'], measure }),
      currency,
    );
  return { tips: net('tip'), surcharges: net('surcharge'), taxes: net('tax') };
}

/** Returns the tips by person, the highest first. */
export function personTipsOf(rows: readonly DailyAggregate[], currency: Currency): PersonTips[] {
  const tips = rows.filter((row) => row.fact === 'person_tip' && row.currency === currency);
  return [...Map.groupBy(tips, ({ detail }) => detail)]
    .map(([person, own]) => {
      const [taken, refunded] = [
        sum(own, { fact: 'person_tip', measure: 'amount' }),
        sum(own, { fact: 'person_tip', measure: 'refunded' }),
      ];
      return {
        person: person === '' ? null : person,
        count: sum(own, { fact: 'person_tip' }),
        tips: money(taken, currency),
        refunded: money(refunded, currency),
        net: money(taken - refunded, currency),
      };
    })
    .sort((left, right) => right.net.minor - left.net.minor || ((left.person ?? '') < (right.person ?? '') ? -1 : 1));
}

/** Returns the tips of a period by person. @throws ServiceError as the other reports. */
export async function tipReport(deps: Dependencies, actor: Caller, query: AnalyticsQuery): Promise<TipReport> {
  const scope = await scopeOf(deps, actor, query);
  const { currency, startDate, endDate } = scope;
  const found = await readDailyAggregates(deps, scope, ['person_tip'], ['fact', 'type', 'detail', 'currency']);
  const people = personTipsOf(found, currency);
  return {
    startDate,
    endDate,
    currency,
    total: money(
      people.reduce((total, { net }) => total + net.minor, 0),
      currency,
    ),
    people,
  };
}
