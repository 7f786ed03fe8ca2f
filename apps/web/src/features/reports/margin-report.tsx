import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { MarginReport, UnknownInput } from '../../lib/api/api-schema.generated.ts'
import { formatCount, formatDay } from '../../lib/format.ts'
import { t, tc } from '../../lib/i18n/t.ts'
import { formatAmountText } from '../../lib/money.ts'
import { LinkText } from '../../ui/link-text.tsx'
import type { Column } from '../../ui/lists/data-table.tsx'
import { Facts } from '../../ui/lists/facts.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { DayPanel } from './day-panel.tsx'
import { dayColumn } from './report-columns.tsx'
import type { ReportDays } from './report-search.ts'
import { ReportTable } from './report-table.tsx'
import { marginCsvAddress } from './reports.api.ts'

type Figures = MarginReport['by_order'][number]['estimate']

interface MarginTablesProps {
  report: MarginReport
  days: ReportDays
  /** Shows what is missing, with where to fill it in. */
  missing: (unknown: readonly UnknownInput[]) => ReactNode
}

/** What orders, SKUs and days earned. What has left counts by what it cost, everything else as it is planned. */
export function MarginTables({ report, days, missing }: MarginTablesProps) {
  const { currency, summary, by_order, by_sku, daily } = report
  const money = (amount: string | null) => (amount === null ? t('unknown') : formatAmountText(amount, currency))
  const cost = ({ cost: whole, known_cost: known }: Figures) => {
    if (whole !== null) return money(whole)
    return known === '0' ? t('unknown') : t('at least {money}', { money: money(known) })
  }
  const margin = ({ margin: left, margin_at_most: most, margin_percent: percent }: Figures) => {
    if (left !== null) return `${money(left)}${percent === null ? '' : `, ${percent} %`}`
    return most === null ? t('unknown') : t('at most {money}', { money: money(most) })
  }
  const planned: Column<{ estimate: Figures }>[] = [
    { key: 'revenue', label: t('Revenue'), align: 'right', cell: ({ estimate }) => money(estimate.revenue) },
    { key: 'cost', label: t('Cost as planned'), align: 'right', cell: ({ estimate }) => cost(estimate) },
    { key: 'margin', label: t('Margin as planned'), align: 'right', cell: ({ estimate }) => margin(estimate) },
  ]
  const actual: Column<{ actual: Figures | null }> = {
    key: 'actual',
    label: t('Margin of what left'),
    align: 'right',
    cell: (row) => (row.actual === null ? '–' : margin(row.actual)),
  }
  return (
    <>
      <Panel title={t('In all')}>
        <Facts
          isGrid
          facts={[
            [t('Orders'), formatCount(summary.orders)],
            [t('Revenue'), money(summary.estimate.revenue)],
            [t('Cost as planned'), cost(summary.estimate)],
            [t('Margin as planned'), margin(summary.estimate)],
            [
              t('Margin of what left'),
              summary.actual &&
                t('{margin}, of {shipped_orders, plural, one {# order} other {# orders}}', {
                  margin: margin(summary.actual),
                  shipped_orders: summary.shipped_orders,
                }),
            ],
            [
              t('In other currencies'),
              summary.other_currency_orders > 0
                ? t('{other_currency_orders, plural, one {# order} other {# orders}}, in no sum', {
                    other_currency_orders: summary.other_currency_orders,
                  })
                : null,
            ],
          ]}
        />
        {missing(summary.estimate.unknown)}
      </Panel>
      <DayPanel
        label={t('Margin by day')}
        days={daily.map(({ date, estimate }) => ({ date, value: Number(estimate.margin_at_most ?? 0) }))}
        format={(value) => formatAmountText(value.toFixed(2), currency)}
      />
      <ReportTable
        title={t('Margin by SKU')}
        columns={[
          {
            key: 'sku',
            label: 'SKU',
            isTitle: true,
            cell: ({ sku, product_sku_id }) =>
              product_sku_id === null ? (
                t('Not mapped to a SKU')
              ) : (
                <LinkText to="/skus/$skuId" params={{ skuId: product_sku_id }}>
                  {sku}
                </LinkText>
              ),
          },
          { key: 'units', label: t('Units'), align: 'right', cell: ({ units }) => formatCount(units) },
          ...planned,
          actual,
        ]}
        rows={by_sku}
        rowKey={({ product_sku_id }) => product_sku_id ?? 'none'}
        csv={marginCsvAddress(days, 'sku')}
        empty={t('No order came in these days.')}
      />
      <LeftOff
        count={report.skus_left_off}
        words={t('{count, plural, one {# SKU} other {# SKUs}} more: all of them are in the CSV.', {
          count: report.skus_left_off,
        })}
      />
      <ReportTable
        title={t('Margin by order')}
        columns={[
          {
            key: 'order',
            label: tc('of a customer', 'Order'),
            isTitle: true,
            cell: ({ order_id, order_number }) => (
              <LinkText to="/orders/$orderId" params={{ orderId: order_id }}>
                {order_number}
              </LinkText>
            ),
          },
          { key: 'date', label: t('Day'), cell: ({ date }) => formatDay(date) },
          ...planned,
          actual,
        ]}
        rows={by_order}
        rowKey={({ order_id }) => order_id}
        csv={marginCsvAddress(days, 'order')}
        empty={t('No order came in these days.')}
      />
      <LeftOff
        count={report.orders_left_off}
        words={t('{count, plural, one {# order} other {# orders}} more: all of them are in the CSV.', {
          count: report.orders_left_off,
        })}
      />
      <ReportTable
        title={t('Margin by day, in figures')}
        columns={[
          dayColumn,
          { key: 'orders', label: t('Orders'), align: 'right', cell: ({ orders }) => formatCount(orders) },
          ...planned,
        ]}
        rows={daily.filter(({ orders }) => orders > 0).toReversed()}
        rowKey={({ date }) => date}
        csv={marginCsvAddress(days, 'day')}
        empty={t('No order came in these days.')}
      />
    </>
  )
}

function LeftOff({ count, words }: { count: number; words: string }) {
  if (count === 0) return null
  return (
    <Text size="sm" c="dimmed">
      {words}
    </Text>
  )
}
