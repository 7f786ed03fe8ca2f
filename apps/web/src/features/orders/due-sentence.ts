import type { OrderSummary } from '../../lib/api/api-schema.generated.ts'
import { formatMoment, parseTimestamp } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { dueState } from './order-state.ts'

type DueOrder = Pick<OrderSummary, 'status' | 'ship_by' | 'promise'>

/** What is wrong with an order that is late, due soon or at risk, and when it will be ready. */
export function dueSentence(order: DueOrder, nowMs: number, timeZone?: string): string {
  return [dueWords(order, nowMs), readyWords(order.promise, nowMs, timeZone)].filter(Boolean).join(' · ')
}

function dueWords(order: DueOrder, nowMs: number): string {
  const due = dueState(order, nowMs)
  if (due === 'late') return t('It should have been shipped by now')
  if (order.promise?.is_at_risk) return t('It will probably be ready too late')
  return due === 'soon' ? t('It is to be shipped within a day') : ''
}

function readyWords(promise: OrderSummary['promise'], nowMs: number, timeZone?: string): string {
  if (promise === null) return ''
  if (promise.is_ready) return t('it is ready')
  const readyMs = parseTimestamp(promise.ready_p90_at ?? promise.ready_p50_at)
  if (readyMs === undefined) return promise.message
  return t('ready by {time}', { time: formatMoment(readyMs, nowMs, timeZone === undefined ? {} : { timeZone }) })
}
